import { compile, type CompileResult } from '@scriptyard/luau-behavior/compile'

/** First the compiler's WebAssembly, then code, which the worker answers with a `CompileResult`. */
export type CompileRequest = { compiler: ArrayBuffer } | { code: string }

let compiler: Promise<WebAssembly.Module> | undefined

addEventListener('message', ({ data }: MessageEvent<CompileRequest>) => {
  if ('compiler' in data) {
    compiler = WebAssembly.compile(data.compiler)
    return
  }
  const respond = async () => {
    const result: CompileResult = compiler ? compile(await compiler, data.code) : { compiles: null, error: null }
    postMessage(result)
  }
  // An error event ends the check: see compile-check.ts.
  respond().catch(reportError)
})
