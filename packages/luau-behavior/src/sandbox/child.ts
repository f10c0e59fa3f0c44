// The process in which scripts are analyzed, compiled and run. It takes one job at a time. Jobs run in threads, which this
// thread can end. The process has no network, no environment and no file but the code of this package.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Card } from '../analyze.ts'
import { GET_FUNCTIONS, listRules, POST_FUNCTIONS, REQUEST_FUNCTIONS, SOCKET_FUNCTIONS } from '../functions.ts'
import { IP_SERVICES } from '../hosts.ts'
import { describeRuns, PASSED, type VmRun } from './events.ts'
import type { ReadJob, ReadResult } from './reader-worker.ts'
import type { CompileResult, RunResult } from './results.ts'
import { compileModule } from './vm.ts'
import type { VmJob, VmMessage, VmWorkerData } from './vm-worker.ts'

export type Job =
  /** `check` analyzes and compiles. */
  | { type: 'analyze' | 'compile' | 'check' | 'hash'; code: string }
  /** `limitMs`: processor time for both runs of a script, without the start of the machine. */
  | { type: 'run'; code: string; limitMs: number }
/** The answer to a job. `failed` if there is none: the analysis took too long or broke. */
export type Answer =
  | { type: 'card'; card: Card }
  | { type: 'hashed'; tokenSha256: string | null }
  | { type: 'compiled'; result: CompileResult }
  | { type: 'checked'; card: Card | undefined; tokenSha256: string | null; result: CompileResult }
  | { type: 'ran'; result: RunResult }
  | { type: 'failed' }

/** Processor time after a run without executors has passed, to see which of their functions the script needs. */
const NEEDS_MS = 500
const COMPILE_MS = 3000
const ANALYZE_MS = 10_000
/** A check is answered within this time: somebody waits for it. */
const CHECK_MS = 7000
/** Time to start a machine, on a busy computer. */
const START_MS = 5000
/** A thread that gets this little of a processor is ended too. */
const MAX_SLOWNESS = 3
const WATCH_MS = 100

/**
 * Bytes of WebAssembly that a function of a machine runs before V8 optimizes it. Optimizing a machine takes half a second of
 * processor time, which pays off after about ten scripts: until then, V8 only optimizes functions that compute for seconds.
 */
const FIRST_TIERING_BUDGET = 1_000_000_000
const LATER_TIERING_BUDGET = 120_000_000
const OPTIMIZE_AFTER_RUNS = 10

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const WORKER_OPTIONS: WorkerOptions = {
  env: {},
  argv: [],
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
}
const PRELUDE = [
  'core',
  'origins',
  'unknown',
  'scheduler',
  'values',
  'types',
  'instances',
  'members',
  'services',
  'json',
  'network',
  'loading',
  'executor',
  'environment',
  'without',
].map((name) => readFileSync(new URL(`prelude/${name}.luau`, import.meta.url), 'utf8'))

const startWorker = (name: string, workerData?: VmWorkerData): Worker =>
  new Worker(new URL(`${name}.${EXTENSION}`, import.meta.url), { ...WORKER_OPTIONS, workerData })

/** For promises that reject only because the thread has ended, which the `exit` event reports. */
const ignore = (): void => {}

/** How a run ended, and the milliseconds of processor time that it took. */
type ThreadRun = VmRun & { usedMs: number }

let module: Promise<WebAssembly.Module> | undefined
let vmWorker: Worker | undefined

const startVmWorker = async (): Promise<Worker> =>
  startWorker('vm-worker', { module: await (module ??= compileModule()), prelude: PRELUDE, ipServices: IP_SERVICES })

/**
 * Runs or compiles a script for at most `limitMs` of processor time, and `maxMs` in all. Never rejects. The thread is used again if the machine
 * ended by itself, except after one that has grown: V8 may keep the memory of several machines before it collects them.
 */
async function runMachine(job: VmJob, limitMs: number, maxMs = START_MS + limitMs * MAX_SLOWNESS): Promise<ThreadRun> {
  const worker = (vmWorker ??= await startVmWorker())
  const events: string[][] = []
  let usedMs = 0
  let endMs = limitMs
  const { promise, resolve } = Promise.withResolvers<Pick<VmRun, 'outcome' | 'compileError'>>()
  const end = (outcome: VmRun['outcome'], compileError: VmRun['compileError'] = null): void =>
    resolve({ outcome, compileError })
  let watching: NodeJS.Timeout | undefined
  let isOver = false
  let isReusable = false
  const slowest = setTimeout(() => end('time'), maxMs)
  /** Ends the thread when its time is over. Wall time would depend on what else the computer does. */
  const watch = async (): Promise<void> => {
    const start = await worker.cpuUsage()
    const measure = async (): Promise<void> => {
      const { user, system } = await worker.cpuUsage(start)
      usedMs = (user + system) / 1000
      if (usedMs >= endMs) end('time')
    }
    if (!isOver) watching = setInterval(() => void measure().catch(ignore), WATCH_MS)
  }
  const onMessage = (message: VmMessage): void => {
    switch (message.type) {
      case 'started':
        watch().catch(ignore)
        break
      case 'event':
        events.push(message.fields)
        if (message.fields[0] === PASSED) endMs = Math.min(endMs, usedMs + NEEDS_MS)
        break
      case 'ended':
        isReusable = !message.hasGrown
        end('ended', message.compileError)
        break
      case 'stopped':
        end(message.reason)
        break
    }
  }
  const onError = ({ code }: NodeJS.ErrnoException): void =>
    end(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash')
  const onExit = (): void => end('crash')
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
  worker.postMessage(job)
  const result = await promise
  isOver = true
  clearTimeout(slowest)
  clearInterval(watching)
  if (!isReusable) {
    vmWorker = undefined
    await worker.terminate()
  }
  worker.off('message', onMessage).off('error', onError).off('exit', onExit)
  return { ...result, events, usedMs }
}

async function compile(code: string, maxMs?: number): Promise<CompileResult> {
  const { outcome, compileError } = await runMachine({ code }, COMPILE_MS, maxMs)
  if (outcome !== 'ended') return { compiles: null, error: null }
  return { compiles: compileError === null, error: compileError && { ...compileError, column: null } }
}

/** Machines that start later have this budget. */
const setTieringBudget = (bytes: number): void => setFlagsFromString(`--wasm-tiering-budget=${bytes}`)
setTieringBudget(FIRST_TIERING_BUDGET)
let runs = 0

/** Runs a script with the functions of executors, then without them, in what time is left. */
async function run(code: string, runMs: number): Promise<RunResult> {
  if (++runs === OPTIMIZE_AFTER_RUNS) setTieringBudget(LATER_TIERING_BUDGET)
  const start = (hasExecutor: boolean, limitMs: number): Promise<ThreadRun> =>
    runMachine({ code, settings: writeSettings(hasExecutor) }, limitMs)
  const withExecutor = await start(true, runMs)
  const left = runMs - withExecutor.usedMs
  const canContinue = withExecutor.outcome === 'ended' && withExecutor.compileError === null && left > 0
  return describeRuns(code, withExecutor, canContinue ? await start(false, left) : undefined)
}

let reader: Worker | undefined

/** Analyzes or only hashes a script in a thread that is used again. Returns undefined if that breaks or takes too long. */
async function read(job: ReadJob, maxMs = ANALYZE_MS): Promise<ReadResult | undefined> {
  const worker = (reader ??= startWorker('reader-worker'))
  const { promise, resolve } = Promise.withResolvers<ReadResult | undefined>()
  const giveUp = (): void => resolve(undefined)
  const timer = setTimeout(giveUp, maxMs)
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
  worker.postMessage(job)
  const result = await promise
  clearTimeout(timer)
  worker.off('message', resolve).off('error', giveUp).off('exit', giveUp)
  if (!result) {
    reader = undefined
    await worker.terminate()
  }
  return result
}

async function work(job: Job): Promise<Answer> {
  switch (job.type) {
    case 'analyze': {
      const card = (await read({ code: job.code, hasCard: true }))?.card
      return card ? { type: 'card', card } : { type: 'failed' }
    }
    case 'hash': {
      const result = await read({ code: job.code, hasCard: false })
      return result ? { type: 'hashed', tokenSha256: result.tokenSha256 } : { type: 'failed' }
    }
    case 'compile':
      return { type: 'compiled', result: await compile(job.code) }
    case 'check': {
      const [analysis, result] = await Promise.all([
        read({ code: job.code, hasCard: true }, CHECK_MS),
        compile(job.code, CHECK_MS),
      ])
      return { type: 'checked', card: analysis?.card, tokenSha256: analysis?.tokenSha256 ?? null, result }
    }
    case 'run':
      return { type: 'ran', result: await run(job.code, job.limitMs) }
  }
}

process.on('disconnect', () => process.exit())
process.on('message', (job: Job) => void work(job).then((answer) => process.send?.(answer)))

/** The kinds of functions that the prelude knows, in the settings of a run. */
const KINDS: readonly (readonly [kind: string, paths: ReadonlySet<string>])[] = [
  ['request', REQUEST_FUNCTIONS],
  ['get', GET_FUNCTIONS],
  ['post', POST_FUNCTIONS],
  ['socket', SOCKET_FUNCTIONS],
]

/** Lua code that returns the table that the files of the prelude share. */
function writeSettings(hasExecutor: boolean): string {
  const functions = listRules().map(([path, { capability = '' }]) => {
    const kind = KINDS.find(([, paths]) => paths.has(path))?.[0] ?? 'plain'
    return `{ "${path}", "${kind}", "${capability}" }`
  })
  return `return { hasExecutor = ${hasExecutor}, executorFunctions = { ${functions.join(', ')} } }`
}
