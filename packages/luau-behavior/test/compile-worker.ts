// The thread of `compile-many`: compiles texts with one machine, until the compiler throws.
import { parentPort, workerData } from 'node:worker_threads'
import { CompileError, MAX_MEMORY, startMachine } from '../src/sandbox/vm.ts'

/** What the thread gets. It answers with the first error of each text, or null, up to the one that broke the machine. */
export interface CompileWork {
  module: WebAssembly.Module
  codes: string[]
}

const LOOP = 'while host("hasNext") do local f = host("load") if type(f) == "string" then host("reject", f) end end'

function compileAll({ module, codes }: CompileWork): (string | null)[] {
  const results: (string | null)[] = []
  const machine = startMachine(module, MAX_MEMORY, (operation, [message = '']) => {
    switch (operation) {
      case 'hasNext':
        return results.length < codes.length
      case 'load':
        results.push(null)
        return { load: Buffer.from(codes[results.length - 1] ?? ''), chunkName: '=script' }
      default:
        results[results.length - 1] = message
        return undefined
    }
  })
  try {
    machine.call(machine.load(LOOP, '=loop'))
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    results[results.length - 1] = `script:${error.line}: ${error.message}`
  }
  return results
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
parentPort?.postMessage(compileAll(workerData as CompileWork))
