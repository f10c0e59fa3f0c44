// The thread that compiles and runs scripts, one after the other, each in a machine of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { CompileError, type Host, type LuauReference, type Machine, MAX_MEMORY, startMachine } from './vm.ts'

export interface VmWorkerData {
  module: WebAssembly.Module
  prelude: string[]
  /** Hosts that answer with the caller's address. */
  ipServices: RegExp
}

export interface VmJob {
  code: string
  /** Lua code with the settings of a run. Without it, the code is only compiled. */
  settings?: string
}

type CompileFailure = Pick<CompileError, 'line' | 'message'>

/** What the thread says about a job: events while it runs, then how it ended. */
export type VmMessage =
  | { type: 'started' }
  | { type: 'event'; fields: string[] }
  | { type: 'ended'; compileError: CompileFailure | null; hasGrown: boolean }
  | { type: 'stopped'; reason: 'memory' | 'events' | 'crash' }

const MAX_EVENTS = 3000
const MAX_LOADED_BYTES = 4 << 20
/** Makes functions of the prelude look like those of the machine. */
const PRELUDE_CHUNK = '=[C]'

/** MiB of a machine that runs a script. */
const RUN_MEMORY = 64

const { module, prelude, ipServices } = workerData as VmWorkerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
const send = (message: VmMessage): void => parentPort?.postMessage(message)

class TooManyEventsError extends Error {}

function createHost(code: string): Host {
  /** The script as bytes in Latin-1 text, as the prelude has texts. */
  const source = Buffer.from(code).toString('latin1')
  let eventCount = 0
  const operations: Record<string, (args: readonly string[]) => ReturnType<Host>> = {
    event: (fields) => {
      if (++eventCount > MAX_EVENTS) throw new TooManyEventsError()
      send({ type: 'event', fields: [...fields] })
      return undefined
    },
    load: ([text = '', chunkName = '']) => {
      if (text.length > MAX_LOADED_BYTES) throw new RangeError('The text is too long')
      return { load: Buffer.from(text, 'latin1'), chunkName }
    },
    isIpService: ([host = '']) => ipServices.test(host),
    isInScript: ([text = '']) => source.includes(text),
  }
  return (operation, args) => operations[operation]?.(args)
}

/** Compiles the script, and runs it if the job has settings. Returns the error of a script that does not compile. */
function doJob(machine: Machine, { code, settings }: VmJob): CompileFailure | null {
  let script: LuauReference
  try {
    script = machine.load(code, settings === undefined ? '=script' : 'script')
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return { line: error.line, message: error.message }
  }
  if (settings !== undefined) {
    const [shared] = machine.call(machine.load(settings, PRELUDE_CHUNK))
    if (!shared) throw new Error('The settings returned no table')
    for (const text of prelude) machine.call(machine.load(text, PRELUDE_CHUNK), shared)
    machine.call(machine.get(shared, 'start'), script)
  }
  return null
}

function work(job: VmJob): VmMessage {
  const memory = job.settings === undefined ? MAX_MEMORY : RUN_MEMORY
  const machine = startMachine(module, memory, createHost(job.code))
  send({ type: 'started' })
  try {
    const compileError = doJob(machine, job)
    return { type: 'ended', compileError, hasGrown: machine.hasGrown }
  } catch (error) {
    // An error of the host passes through the machine: code inside cannot catch it.
    if (error instanceof TooManyEventsError) return { type: 'stopped', reason: 'events' }
    return { type: 'stopped', reason: machine.isOutOfMemory ? 'memory' : 'crash' }
  }
}

parentPort?.on('message', (job: VmJob) => send(work(job)))
