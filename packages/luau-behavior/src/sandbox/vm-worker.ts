// A thread that compiles or runs one script, and is thrown away.
import { parentPort, workerData } from 'node:worker_threads'
import type { LuauFunction, LuauTable } from 'luau-web'
import { CompileError, type Host, type Machine, startMachine } from './vm.ts'

export interface VmJob {
  module: WebAssembly.Module
  code: string
  /** What a run needs. Without it, the code is only compiled. */
  run?: {
    prelude: string[]
    settings: string
    /** Hosts that answer with the caller's address. */
    ipServices: RegExp
  }
}

/** What a thread says: events while it runs, then how it ended. */
export type VmMessage =
  | { type: 'started' }
  | { type: 'event'; fields: string[] }
  | { type: 'ended'; compileError: { line: number; message: string } | null }
  | { type: 'stopped'; reason: 'memory' | 'events' | 'crash' }

const MAX_EVENTS = 3000
const MAX_LOADED_BYTES = 4 << 20
/** Makes functions of the prelude look like those of the machine. */
const PRELUDE_CHUNK = '=[C]'

const { module, code, run } = workerData as VmJob
/** The script as bytes in Latin-1 text, as the prelude has texts. */
const source = Buffer.from(code).toString('latin1')
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
const send = (message: VmMessage): void => parentPort?.postMessage(message)

let eventCount = 0

const OPERATIONS: Record<string, (args: readonly string[]) => ReturnType<Host>> = {
  event: (fields) => {
    if (++eventCount > MAX_EVENTS) throw new RangeError('Too many events')
    send({ type: 'event', fields: [...fields] })
    return undefined
  },
  load: ([text = '', chunkName = '']) => {
    if (text.length > MAX_LOADED_BYTES) throw new RangeError('The text is too long')
    return { load: Buffer.from(text, 'latin1'), chunkName }
  },
  isIpService: ([host = '']) => run?.ipServices.test(host) ?? false,
  isInScript: ([text = '']) => source.includes(text),
}

async function runScript(machine: Machine, { prelude, settings }: NonNullable<VmJob['run']>): Promise<VmMessage> {
  let script: LuauFunction
  try {
    script = machine.load(code, 'script')
  } catch (error) {
    return toVerdict(error)
  }
  const [shared] = (await machine.load(settings, PRELUDE_CHUNK)()) as [LuauTable]
  for (const text of prelude) await machine.load(text, PRELUDE_CHUNK)(shared)
  await (shared.get('start') as LuauFunction)(script)
  return { type: 'ended', compileError: null }
}

function compileScript(machine: Machine): VmMessage {
  try {
    machine.load(code, '=script')
    return { type: 'ended', compileError: null }
  } catch (error) {
    return toVerdict(error)
  }
}

/** The verdict on code that does not compile. Throws any other error. */
function toVerdict(error: unknown): VmMessage {
  if (!(error instanceof CompileError)) throw error
  return { type: 'ended', compileError: { line: error.line, message: error.message } }
}

async function main(): Promise<VmMessage> {
  const machine = await startMachine(module, (operation, args) => OPERATIONS[operation]?.(args))
  send({ type: 'started' })
  try {
    return run ? await runScript(machine, run) : compileScript(machine)
  } catch {
    // An error of the host passes through the machine: code inside cannot catch it.
    if (eventCount > MAX_EVENTS) return { type: 'stopped', reason: 'events' }
    return { type: 'stopped', reason: machine.isOutOfMemory ? 'memory' : 'crash' }
  }
}

send(await main())
