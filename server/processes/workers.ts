import cluster, { type Worker } from 'node:cluster'
import path from 'node:path'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'
import type { Site } from './prepare.ts'
import { UserFacingError } from './run.ts'
import { HEARTBEAT_TIMEOUT_MS, Watchdog } from './watchdog.ts'

const PROGRAM = path.join(import.meta.dirname, 'worker.ts')
/** Who lived that long did not die of how it was started. */
const SETTLED_MS = 30_000
const FIRST_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 10_000
const GIVE_UP_AFTER = 10
/** Longer than any request may take. */
const STOP_MS = 40_000

export interface WorkersOptions {
  count: number
  /** Called when no worker serves and none can be brought back. */
  giveUp: () => void
  program?: string
  maxRestartDelayMs?: number
  /** Who says nothing for so long is ended. */
  heartbeatTimeoutMs?: number
}

/** The place of one worker, whoever holds it. */
interface WorkerSlot {
  number: number
  worker: Worker | undefined
  isListening: boolean
  bornAt: number
  /** In a row, each soon after it was born. */
  deaths: number
  ended: Promise<void>
}

/** So many processes that serve the site behind one port. Who dies or hangs is replaced; what one wrote the others hear of. */
export class Workers {
  readonly #site: Site
  readonly #options: Required<WorkersOptions>
  readonly #slots: WorkerSlot[]
  readonly #started = Promise.withResolvers<void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #watchdog: Watchdog<WorkerSlot>
  #isStarted = false
  #isStopping = false

  constructor(site: Site, options: WorkersOptions) {
    this.#site = site
    // Who stops it before it was started asks for no answer.
    this.#started.promise.catch(() => {})
    this.#options = {
      program: PROGRAM,
      maxRestartDelayMs: MAX_RESTART_DELAY_MS,
      heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
      ...options,
    }
    this.#watchdog = new Watchdog(this.#options.heartbeatTimeoutMs, (place) => this.#endSilent(place))
    this.#slots = Array.from({ length: options.count }, (_, at) => {
      return { number: at + 1, worker: undefined, isListening: false, bornAt: 0, deaths: 0, ended: Promise.resolve() }
    })
  }

  /** Resolves when all listen. Throws what the first one failed with, or that it was told to stop. */
  start(): Promise<void> {
    cluster.schedulingPolicy = cluster.SCHED_RR
    // The settings go over the channel, as they are; nothing of them stands on a command line.
    cluster.setupPrimary({ exec: this.#options.program, args: [], serialization: 'advanced' })
    for (const place of this.#slots) this.#fork(place)
    return this.#started.promise
  }

  /** Lets all finish their requests and end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watchdog.stop()
    this.#started.reject(new UserFacingError('The site was told to stop before it served.'))
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#slots.map((place) => this.#end(place)))
  }

  #fork(place: WorkerSlot): void {
    const worker = cluster.fork()
    const ended = Promise.withResolvers<void>()
    const died = (why: string) => {
      ended.resolve()
      this.#watchdog.forget(place)
      this.#replace(place, why)
    }
    Object.assign(place, { worker, isListening: false, bornAt: performance.now(), ended: ended.promise })
    this.#watchdog.recordHeartbeat(place)
    worker.on('message', (message: unknown) => this.#hear(place, message))
    worker.on('exit', (code: number | null, signal: string | null) => died(signal ?? `code ${code}`))
    // What could not even be started does not exit. All other errors are of messages to one that is gone.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) died(error.message)
    })
  }

  #hear(place: WorkerSlot, given: unknown): void {
    if (!isMessage(given)) return
    const message = given as FromWorker
    this.#watchdog.recordHeartbeat(place)
    if (message.is === 'here') this.#welcome(place)
    if (message.is === 'listening') this.#noteListening(place)
    if (message.is === 'failed') this.#noteFailed(message.why)
    if (message.is === 'changed') {
      for (const other of this.#slots) if (other !== place) send(other.worker, message)
    }
  }

  #welcome({ number, worker }: WorkerSlot): void {
    if (this.#isStopping) send(worker, { is: 'stop' })
    else send(worker, { is: 'start', site: this.#site, isFirst: number === 1 })
  }

  #noteListening(place: WorkerSlot): void {
    place.isListening = true
    if (!this.#slots.every((each) => each.isListening)) return
    this.#isStarted = true
    this.#started.resolve()
  }

  #noteFailed(why: string): void {
    if (this.#isStarted) console.error(why)
    else this.#started.reject(new UserFacingError(why))
  }

  #endSilent({ number, worker }: WorkerSlot): void {
    console.error(`Server process ${number} said nothing for ${this.#options.heartbeatTimeoutMs / 1000} s.`)
    worker?.process.kill('SIGKILL')
  }

  #replace(place: WorkerSlot, why: string): void {
    place.isListening = false
    if (this.#isStopping) return
    if (!this.#isStarted) {
      this.#started.reject(new UserFacingError(`A server process ended while it was starting (${why}).`))
      return
    }
    const hasSettled = performance.now() - place.bornAt >= SETTLED_MS
    place.deaths = hasSettled ? 1 : place.deaths + 1
    if (place.deaths >= GIVE_UP_AFTER && !this.#slots.some((each) => each.isListening)) {
      this.#isStopping = true
      console.error(`No server process stays alive: ${GIVE_UP_AFTER} in a row ended at once, the last one by ${why}.`)
      this.#options.giveUp()
      return
    }
    console.error(`Server process ${place.number} ended (${why}); another one takes its place.`)
    this.#forkLater(place)
  }

  #forkLater(place: WorkerSlot): void {
    const pause = Math.min(FIRST_RESTART_DELAY_MS * 2 ** (place.deaths - 1), this.#options.maxRestartDelayMs)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#fork(place)
    }, pause)
    this.#timers.add(timer)
  }

  async #end({ worker, ended }: WorkerSlot): Promise<void> {
    if (!worker || worker.isDead()) return
    send(worker, { is: 'stop' })
    const patience = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(patience)
  }
}

/** Nobody is told who is gone. */
function send(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {})
}
