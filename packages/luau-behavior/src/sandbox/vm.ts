// The Luau virtual machine: luau-web's WebAssembly module with imports of our own, without its JavaScript. Code in it can call
// one function, which takes texts. It gets no JavaScript object, no clock and no file, and neither does code that corrupts the
// machine's memory.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Bytes in a page of WebAssembly's memory. */
const PAGE = 65_536
/** MiB that a machine can have at most. The syntax tree of 1 MiB of short lines does not fit in 64. */
export const MAX_MEMORY = 256

/** Text to compile, and the name of its chunk in messages. */
interface SourceText {
  load: Buffer
  chunkName: string
}

/** What a call from inside returns: nothing, a boolean, or text that is compiled to a function or to the compiler's message. */
export type HostResult = undefined | boolean | SourceText
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

/** A value of the machine that is passed back to it. */
export interface LuauReference {
  type: 'table' | 'function'
  /** Its reference in Lua's registry, as `lua_ref` returns it. */
  value: number
}

export interface Machine {
  /** Compiles a chunk to a function. Throws a CompileError, or any other error when the machine gives up. */
  load(source: string | Buffer, chunkName: string): LuauReference
  /** Calls a function and returns the tables and functions that it returns. Throws an Error with the text of Luau's error. */
  call(luauFunction: LuauReference, ...args: LuauReference[]): LuauReference[]
  /** A function or table of a table. */
  get(table: LuauReference, key: string): LuauReference
  /** Whether the machine took more memory than it started with. */
  readonly hasGrown: boolean
  /** Whether the machine gave up because code inside wanted more memory than it may have. */
  readonly isOutOfMemory: boolean
}

/**
 * Compiles the WebAssembly of luau-web in some 10 ms: of its second build, because `pcall` catches no errors in the first. Its
 * memory of 18 MiB, which is too little for large scripts, is allowed to grow.
 */
export function compileModule(): Promise<WebAssembly.Module> {
  const file = new URL('lib/Luau.Web.Asyncify.js', import.meta.resolve('luau-web'))
  const binary = /base64Decode\("([A-Za-z0-9+/=]+)"\)/.exec(readFileSync(fileURLToPath(file), 'latin1'))?.[1]
  if (binary === undefined) throw new Error('luau-web has no WebAssembly binary where it is expected')
  return WebAssembly.compile(setMaxMemory(Buffer.from(binary, 'base64'), (MAX_MEMORY << 20) / PAGE))
}

const MEMORY_SECTION = 5

/** Sets the largest size, in pages, in the memory section of a WebAssembly binary. */
function setMaxMemory(binary: Buffer, max: number): Uint8Array<ArrayBuffer> {
  let start = 8
  while (start < binary.length) {
    const { value: length, end: body } = readNumber(binary, start + 1)
    if (binary[start] === MEMORY_SECTION) {
      // One memory: its flags (1: it has a maximum), its size at the start, its maximum.
      const { value: size } = readNumber(binary, body + 2)
      const section = [1, 1, ...toNumber(size), ...toNumber(max)]
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
  __wasm_call_ctors: () => void
  emscripten_stack_init(): void
  emscripten_stack_get_current(): number
  _emscripten_stack_restore: (pointer: number) => void
  setThrew(threw: number, value: number): void
  dynCall_vii(index: number, first: number, second: number): void
  malloc(size: number): number
  free(pointer: number): void
  makeLuaState(index: number): number
  luauLoad(state: number, source: number, chunkName: number): number
  luaPcall(state: number, reference: number, args: number): number
  luaIndex(state: number, reference: number, type: number, key: number): number
  luaNewIndex(
    state: number,
    reference: number,
    keyType: number,
    key: number,
    valueType: number,
    value: number,
    writesReadonly: number,
  ): number
  setreadonly(state: number, reference: number, isReadonly: number): void
  getLuaValue(state: number, index: number): number
  pushValueToLuaWrapper(state: number, type: number, value: number, key: number): void
}

/** A value as the machine describes it in JSON. */
interface LuauValue {
  type: string
  value: unknown
  error?: string
}

/** Number of the one state of a machine: 0 means none. */
const STATE = 1
/** Number of the host, the only JavaScript function that the machine knows. */
const HOST = -1
const TOP_OF_STACK = -1
/** What `longjmp` throws, and `setjmp` catches. */
const LONGJMP = new Error('longjmp')
/** WASI's error for a file that is not open. */
const BADF = 8

const closed = (): never => {
  throw new Error('Code inside tried to reach a JavaScript value')
}

/** Growing costs a call out of the machine, so it grows by more than it needs. */
const GROWTH = 1.5

/** Starts a machine that takes at most `maxMemory` MiB. */
export function startMachine(module: WebAssembly.Module, maxMemory: number, host: Host): Machine {
  let hasGrown = false
  let isOutOfMemory = false
  let globals = 0
  /** Values on their way into the machine or out of it, by number. */
  const passing = new Map<number, unknown>()
  let nextKey = 0
  const pass = (value: unknown): number => {
    passing.set(nextKey, value)
    return nextKey++
  }
  const take = (key: number): unknown => {
    const value = passing.get(key)
    passing.delete(key)
    return value
  }

  const readBytes = (pointer: number): Buffer => {
    const bytes = new Uint8Array(exports.memory.buffer)
    return Buffer.from(bytes.subarray(pointer, bytes.indexOf(0, pointer)))
  }
  /** Reads JSON whose texts are bytes, which become Latin-1 text. */
  const readValue = (pointer: number): unknown => JSON.parse(readBytes(pointer).toString('latin1'))
  /** Copies text into the machine, which frees it if an import returns it. */
  const writeBytes = (bytes: Buffer): number => {
    const pointer = exports.malloc(bytes.length + 1)
    const heap = new Uint8Array(exports.memory.buffer)
    heap.set(bytes, pointer)
    heap[pointer + bytes.length] = 0
    return pointer
  }
  const withTexts = <Result>(texts: string[], body: (...pointers: number[]) => Result): Result => {
    const pointers = texts.map((text) => writeBytes(Buffer.from(text)))
    const result = body(...pointers)
    for (const pointer of pointers) exports.free(pointer)
    return result
  }
  const push = (thread: number, type: string, value: string): void =>
    withTexts([type, value], (typeText = 0, text = 0) => exports.pushValueToLuaWrapper(thread, typeText, text, text))

  /** Calls the host. Returns the number of values that it left on the stack of the Lua thread. */
  const callHost = (thread: number, _state: number, _reference: number, json: number): number => {
    const [, ...values] = readValue(json) as LuauValue[]
    const [operation = '', ...args] = values.map(({ type, value }) => {
      if (type !== 'string') throw new TypeError('The host takes text only')
      return String(value)
    })
    const result = host(operation, args)
    if (result === undefined) return 0
    if (typeof result === 'boolean') push(thread, 'boolean', String(result))
    else loadFor(thread, result)
    return 1
  }
  /** Leaves the function or the compiler's message on the stack. An error that the compiler throws does not end the run. */
  const loadFor = (thread: number, { load: source, chunkName }: SourceText): void => {
    const stack = exports.emscripten_stack_get_current()
    try {
      exports.luauLoad(thread, pass(source), pass(Buffer.from(chunkName)))
    } catch (error) {
      if (!(error instanceof CompileError)) throw error
      restoreStack(stack)
      push(thread, 'string', `[string "${chunkName}"]:${error.line}: ${error.message}`)
    }
  }
  const writeTime = (seconds: bigint, pointer: number): void => {
    const date = new Date(Number(seconds) * 1000)
    const year = date.getUTCFullYear()
    const day = Math.floor((date.getTime() - Date.UTC(year, 0)) / 86_400_000)
    const fields = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate()]
    fields.push(date.getUTCMonth(), year - 1900, date.getUTCDay(), day)
    new Int32Array(exports.memory.buffer).set(fields, pointer >> 2)
  }

  // The names are those of luau-web and Emscripten.
  const env = {
    ensureInterop: () => {},
    setEnvFromJS: (_state: number, _index: number, reference: number) => {
      globals = reference
    },
    // In UTF-8, because messages of the compiler are shown.
    pushTransactionString: (_state: number, json: number) => pass(JSON.parse(readBytes(json).toString())),
    sendValueToJS: (_state: number, json: number) => pass(readValue(json)),
    acceptStringTransaction: (_state: number, key: number) => writeBytes(take(key) as Buffer),
    pushArgs: (thread: number, _state: number, key: number) => {
      const args = take(key) as LuauReference[]
      for (const { type, value } of args) push(thread, `l${type}`, String(value))
      return args.length
    },
    setMultretData: (_thread: number, _state: number, json: number, key: number) => {
      passing.set(key, readValue(json))
    },
    __asyncjs__callJSFunction: callHost,
    pushRetData: (_thread: number, _state: number, count: number) => count,
    getJSProperty: closed,
    setJSProperty: closed,
    prepareJSKeyList: closed,
    getJSIteratorNext: closed,
    releaseJSKeyList: closed,
    emscripten_resize_heap: (bytes: number) => {
      const needed = bytes >>> 0
      const max = maxMemory << 20
      const size = exports.memory.buffer.byteLength
      if (needed > max) {
        isOutOfMemory = true
        throw new Error('The machine is out of memory')
      }
      exports.memory.grow(Math.ceil((Math.min(max, Math.max(needed, size * GROWTH)) - size) / PAGE))
      hasGrown = true
      return 1
    },
    // The compiler throws errors from which it cannot recover, and nothing in the machine catches them.
    __cxa_throw: (exception: number, type: number) => {
      throw readException(exports.memory, exception, type)
    },
    _abort_js: () => {
      throw new Error('The machine gave up')
    },
    _emscripten_throw_longjmp: () => {
      throw LONGJMP
    },
    invoke_vii: (index: number, first: number, second: number) => {
      const stack = exports.emscripten_stack_get_current()
      try {
        exports.dynCall_vii(index, first, second)
      } catch (error) {
        if (error !== LONGJMP) throw error
        restoreStack(stack)
        exports.setThrew(1, 0)
      }
    },
    emscripten_get_now: () => 0,
    emscripten_date_now: () => 0,
    _tzset_js: () => {},
    _localtime_js: writeTime,
    _gmtime_js: writeTime,
  }
  const wasi = {
    clock_time_get: (_id: number, _precision: bigint, pointer: number) => {
      new BigInt64Array(exports.memory.buffer)[pointer >> 3] = 0n
      return 0
    },
    fd_close: () => BADF,
    fd_write: () => BADF,
    fd_seek: () => BADF,
  }
  const instance = new WebAssembly.Instance(module, { env, wasi_snapshot_preview1: wasi })
  const exports = instance.exports as unknown as Exports
  const { __wasm_call_ctors: construct, _emscripten_stack_restore: restoreStack } = exports
  exports.emscripten_stack_init()
  construct()
  const state = exports.makeLuaState(STATE)
  withTexts(['string', 'host', 'jfunction', String(HOST)], (keyType = 0, key = 0, valueType = 0, value = 0) =>
    exports.luaNewIndex(state, globals, keyType, key, valueType, value, 1),
  )

  const load = (source: string | Buffer, chunkName: string): LuauReference => {
    const status = exports.luauLoad(state, pass(Buffer.from(source)), pass(Buffer.from(chunkName)))
    const value = take(exports.getLuaValue(state, TOP_OF_STACK)) as LuauValue
    if (status !== 0) throw toCompileError(String(value.value), chunkName)
    return toReference(value)
  }
  const call = (luauFunction: LuauReference, ...args: LuauReference[]): LuauReference[] => {
    const key = pass(args)
    const status = exports.luaPcall(state, luauFunction.value, key)
    const values = take(key) as LuauValue[]
    if (status !== 0) throw new Error(values[0]?.error ?? 'The machine gave no error')
    return values.map(toReference)
  }
  const get = (table: LuauReference, key: string): LuauReference =>
    withTexts(['string', key], (type = 0, text = 0) =>
      toReference(take(exports.luaIndex(state, table.value, type, text)) as LuauValue),
    )
  // The prelude replaces the methods of texts, and locks the metatable again.
  const [metatable] = call(load('return getmetatable("")', '=start'))
  exports.setreadonly(state, metatable?.value ?? 0, 0)

  return {
    load,
    call,
    get,
    get hasGrown() {
      return hasGrown
    },
    get isOutOfMemory() {
      return isOutOfMemory
    },
  }
}

function toReference({ type, value }: LuauValue): LuauReference {
  if (type !== 'table' && type !== 'function') throw new TypeError(`Expected a table or a function, not ${type}`)
  return { type, value: Number(value) }
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
