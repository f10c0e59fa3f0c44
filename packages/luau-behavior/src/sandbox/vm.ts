// The Luau virtual machine: luau-web's WebAssembly module behind imports of our own. Code in it can call one function, which
// takes texts. It gets no JavaScript object, no clock and no file, and neither does code that corrupts the machine's memory.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LuauFunction, LuauState } from 'luau-web'

/** Bytes in a page of WebAssembly's memory. */
const PAGE = 65_536

/** What a call from inside returns: nothing, text that is compiled to a function, or a boolean. */
export type HostResult = undefined | boolean | { load: Buffer; chunkName: string }
/** The function that code inside calls. Its arguments are bytes as Latin-1 text. */
export type Host = (operation: string, args: readonly string[]) => HostResult

/** Code does not compile. The line counts from 1. */
export class CompileError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

export interface Machine {
  /** Compiles a chunk. Throws a CompileError, or any other error when the machine gives up. */
  load(source: string | Buffer, chunkName: string): LuauFunction
  /** Whether the machine gave up because code inside wanted more memory than there is. */
  readonly isOutOfMemory: boolean
}

/** Compiles luau-web's WebAssembly with `memory` MiB (its own 18 are too little for large scripts), in some 10 ms. */
export function compileModule(memory: number): Promise<WebAssembly.Module> {
  const file = new URL('lib/Luau.Web.Asyncify.js', import.meta.resolve('luau-web'))
  const binary = /base64Decode\("([A-Za-z0-9+/=]+)"\)/.exec(readFileSync(fileURLToPath(file), 'latin1'))?.[1]
  if (binary === undefined) throw new Error('luau-web has no WebAssembly binary where it is expected')
  return WebAssembly.compile(resizeMemory(Buffer.from(binary, 'base64'), (memory << 20) / PAGE))
}

/** luau-web's second build: in its first, `pcall` catches no errors, as the machine is compiled without exceptions. */
async function importLuau() {
  Reflect.deleteProperty(WebAssembly, 'Suspending')
  const { InternalLuauWasmModule, LuauState } = await import('luau-web')
  return { luau: InternalLuauWasmModule, LuauState }
}

const MEMORY_SECTION = 5

/** Sets the size in the memory section of a WebAssembly binary, in pages. */
function resizeMemory(binary: Buffer, size: number): Uint8Array<ArrayBuffer> {
  let start = 8
  while (start < binary.length) {
    const { value: length, end: body } = readNumber(binary, start + 1)
    if (binary[start] === MEMORY_SECTION) {
      const pages = toNumber(size)
      const section = [1, 1, ...pages, ...pages]
      const head = [MEMORY_SECTION, ...toNumber(section.length), ...section]
      return Uint8Array.from([...binary.subarray(0, start), ...head, ...binary.subarray(body + length)])
    }
    start = body + length
  }
  throw new Error('The WebAssembly binary has no memory section')
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let end = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) return { value, end }
  }
}

function toNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...toNumber(value >>> 7)]
}

interface Exports {
  memory: WebAssembly.Memory
  malloc(size: number): number
  luauLoad(state: number, source: number, chunkName: number): number
  pushValueToLuaWrapper(state: number, type: number, value: number, key: number): void
}

/** What luau-web's state has and its types do not name. */
type OwnState = LuauState & { state: number }
/** Index of the one state of a thread. */
const STATE = 1

const closed = (): never => {
  throw new Error('Code inside tried to reach a JavaScript value')
}

/** Call it once per thread: states that share an instance of luau-web's module corrupt each other's memory. */
export async function startMachine(module: WebAssembly.Module, host: Host): Promise<Machine> {
  const { luau, LuauState } = await importLuau()
  let exports: Exports | undefined
  let isOutOfMemory = false
  const getExports = (): Exports => {
    if (!exports) throw new Error('The machine has not started')
    return exports
  }

  const readBytes = (pointer: number): Buffer => {
    const bytes = new Uint8Array(getExports().memory.buffer)
    return Buffer.from(bytes.subarray(pointer, bytes.indexOf(0, pointer)))
  }
  const writeBytes = (bytes: Buffer): number => {
    const pointer = getExports().malloc(bytes.length + 1)
    const heap = new Uint8Array(getExports().memory.buffer)
    heap.set(bytes, pointer)
    heap[pointer + bytes.length] = 0
    return pointer
  }
  const [booleanWord, trueWord, falseWord] = ['boolean', 'true', 'false'].map((word) => Buffer.from(word))

  /** Calls the host. Returns the number of values that it left on the stack of the Lua thread. */
  const call = (thread: number, _environment: number, _reference: number, json: number): number => {
    const values = JSON.parse(readBytes(json).toString('latin1')) as { type: string; value: unknown }[]
    const [operation = '', ...args] = values.slice(1).map(({ type, value }) => {
      if (type !== 'string') throw new TypeError('The host takes text only')
      return String(value)
    })
    const result = host(operation, args)
    if (result === undefined) return 0
    if (typeof result === 'boolean') {
      const [type, value] = [booleanWord, result ? trueWord : falseWord].map((word) => writeBytes(word ?? Buffer.of()))
      getExports().pushValueToLuaWrapper(thread, type ?? 0, value ?? 0, value ?? 0)
    } else {
      const [source, chunkName] = [result.load, Buffer.from(result.chunkName)].map(addTransaction)
      getExports().luauLoad(thread, source ?? 0, chunkName ?? 0)
    }
    return 1
  }
  const addTransaction = (bytes: Buffer): number => {
    const own = luau.states[STATE]
    if (!own) throw new Error('The machine has not started')
    own.transactionData[own.nextTXKey] = bytes
    return own.nextTXKey++
  }

  const imports: Record<string, (...args: never[]) => unknown> = {
    __asyncjs__callJSFunction: call,
    pushRetData: (_thread: number, _environment: number, count: number) => count,
    // Replaces a function that encodes text as UTF-8 and passes empty text as `none`.
    acceptStringTransaction: (_environment: number, index: number) => {
      const data = luau.states[STATE]?.transactionData
      const bytes = data?.[index] as Buffer
      delete data?.[index]
      return writeBytes(bytes)
    },
    getJSProperty: closed,
    setJSProperty: closed,
    prepareJSKeyList: closed,
    getJSIteratorNext: closed,
    releaseJSKeyList: closed,
    emscripten_resize_heap: () => {
      isOutOfMemory = true
      throw new Error('The machine is out of memory')
    },
    // The compiler throws errors from which it cannot recover, and nothing in the machine catches them.
    __cxa_throw: (exception: number, type: number) => {
      throw readException(getExports().memory, exception, type)
    },
    emscripten_get_now: () => 0,
    emscripten_date_now: () => 0,
    clock_time_get: (_id: number, _precision: bigint, pointer: number) => {
      new BigInt64Array(getExports().memory.buffer)[pointer >> 3] = 0n
      return 0
    },
  }
  Object.assign(luau, {
    printErr: () => {},
    instantiateWasm: (
      { env }: { env: Record<string, unknown> },
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      Object.assign(env, imports)
      const instance = new WebAssembly.Instance(module, { env, wasi_snapshot_preview1: env } as WebAssembly.Imports)
      exports = instance.exports as unknown as Exports
      done(instance, module)
    },
  })
  const state = (await LuauState.createAsync({ host: () => undefined })) as OwnState
  const load = (source: string | Buffer, chunkName: string): LuauFunction => {
    const [text, name] = [source, chunkName].map((part) => addTransaction(Buffer.from(part)))
    const status = getExports().luauLoad(state.state, text ?? 0, name ?? 0)
    if (status !== 0) throw toCompileError(String(state.getValue(-1)), chunkName)
    return state.getValue(-1) as LuauFunction
  }
  // The prelude replaces the methods of texts, and locks the metatable again.
  const [metatable] = await load('return getmetatable("")', '=start')()
  state.env.setreadonly(metatable, false)

  return {
    load,
    get isOutOfMemory() {
      return isOutOfMemory
    },
  }
}

/** The error that a message such as `script:7: Expected ...` says. */
function toCompileError(text: string, chunkName: string): CompileError {
  const prefix = chunkName.startsWith('=') ? chunkName.slice(1) : `[string "${chunkName}"]`
  const [, line = '1', message = text] = /^:(\d+): (.*)$/s.exec(text.slice(prefix.length)) ?? []
  return new CompileError(Number(line), message)
}

/**
 * The error that the compiler threw, at `exception` in memory. Luau's ParseError and CompileError are a pointer, four
 * numbers (line and column of the start and of the end, from 0) and a `std::string`.
 */
function readException(memory: WebAssembly.Memory, exception: number, type: number): Error {
  const view = new DataView(memory.buffer)
  const readText = (pointer: number, length?: number): string => {
    const bytes = new Uint8Array(memory.buffer)
    return Buffer.from(
      bytes.subarray(pointer, length === undefined ? bytes.indexOf(0, pointer) : pointer + length),
    ).toString()
  }
  const name = readText(view.getUint32(type + 4, true))
  if (!/^N4Luau\d+(?:Parse|Compile)ErrorE$/.test(name)) return new Error(`The machine threw ${name}`)
  const line = view.getUint32(exception + 4, true) + 1
  const text = exception + 20
  // libc++: the highest bit of the last byte says whether the text is elsewhere.
  const size = view.getUint8(text + 11)
  const message =
    size < 128 ? readText(text, size) : readText(view.getUint32(text, true), view.getUint32(text + 4, true))
  return new CompileError(line, message)
}
