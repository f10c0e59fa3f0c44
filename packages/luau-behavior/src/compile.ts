/** The compiler's first error. Lines count from 1. */
export interface CompileError {
  line: number
  message: string
}

/** Whether code compiles. `compiles` is null if the compiler cannot say: the code is too large or too deeply nested. */
export interface CompileResult {
  compiles: boolean | null
  error: CompileError | null
}

const UNKNOWN: CompileResult = { compiles: null, error: null }

const INITIALIZE = '__wasm_call_ctors'

/** Functions that `luau-web` exports. Pointers are byte offsets in the memory. */
interface Exports {
  memory: WebAssembly.Memory
  [INITIALIZE]: () => void
  malloc: (bytes: number) => number
  makeLuaState: (environment: number) => number
  /** Compiles the text with this id and leaves the function or the error on the stack. 0 if it compiles. */
  luauLoad: (state: number, sourceId: number, nameId: number) => number
  /** Sends a value of the stack to `pushTransactionString`. */
  getLuaValue: (state: number, index: number) => number
}

const ENVIRONMENT = 1
const SOURCE_ID = 0
const CHUNK_NAME = 'script'

/**
 * Compiles code without running it. Synchronous, and slow for large code, so it belongs in a worker. Makes an instance of
 * its own for each call, because luau-web 1.4.0 corrupts its memory when an instance is used again, or after an abort.
 */
export function compile(compiler: WebAssembly.Module, code: string): CompileResult {
  // The compiler receives a C string, which ends at the first NUL.
  if (code.includes('\0')) return UNKNOWN
  try {
    const instance = instantiate(compiler, code)
    const state = instance.exports.makeLuaState(ENVIRONMENT)
    if (instance.exports.luauLoad(state, SOURCE_ID, SOURCE_ID + 1) === 0) return { compiles: true, error: null }
    instance.exports.getLuaValue(state, -1)
    return readError(instance.pushedText())
  } catch {
    // Out of memory, or an exception that the compiler does not catch, as for deeply nested code.
    return UNKNOWN
  }
}

/** Reads a message such as `[string "script"]:7: Expected 'end', got <eof>`. */
function readError(json: string): CompileResult {
  const { value } = JSON.parse(json) as { value: unknown }
  const [, line, message] = (typeof value === 'string' && /^\[string "script"\]:(\d+): (.+)$/s.exec(value)) || []
  return line && message ? { compiles: false, error: { line: Number(line), message } } : UNKNOWN
}

function stop(): never {
  throw new Error('The compiler stopped.')
}

function instantiate(compiler: WebAssembly.Module, code: string): { exports: Exports; pushedText: () => string } {
  let text = ''
  const bytes = () => new Uint8Array(exports.memory.buffer)
  const used: Record<string, (...values: number[]) => number> = {
    acceptStringTransaction: (_environment, id) => {
      const encoded = new TextEncoder().encode(id === SOURCE_ID ? code : CHUNK_NAME)
      const pointer = exports.malloc(encoded.length + 1)
      bytes().set(encoded, pointer)
      bytes()[pointer + encoded.length] = 0
      return pointer
    },
    pushTransactionString: (_environment, pointer = 0) => {
      const memory = bytes()
      text = new TextDecoder().decode(memory.subarray(pointer, memory.indexOf(0, pointer)))
      return 0
    },
    emscripten_resize_heap: stop,
    _abort_js: stop,
  }
  // The remaining imports serve running code, clocks and output. Compiling needs no result of theirs.
  const imports: WebAssembly.Imports = {}
  for (const { module, name } of WebAssembly.Module.imports(compiler)) {
    imports[module] = { ...imports[module], [name]: used[name] ?? (() => 0) }
  }
  const exports = new WebAssembly.Instance(compiler, imports).exports as unknown as Exports
  exports[INITIALIZE]()
  return { exports, pushedText: () => text }
}
