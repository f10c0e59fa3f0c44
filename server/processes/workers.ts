import cluster, { type Worker } from 'node:cluster'
import path from 'node:path'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'
import type { Site } from './prepare.ts'
import { Explained } from './run.ts'
import { PATIENCE_MS, Watchdog } from './watchdog.ts'

const PROGRAM = path.join(import.meta.dirname, 'worker.ts')
/** Who lived that long did not die of how it was started. */
const SETTLED_MS = 30_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
const GIVE_UP_AFTER = 10
/** Longer than any request may take. */
const STOP_MS = 40_000

export interface WorkersOptions {
  count: number
  /** Called when no worker serves and none can be brought back. */
  giveUp: () => void
  program?: string
  longestPauseMs?: number
  /** Who says nothing for so long is ended. */
  patienceMs?: number
}

/** The place of one worker, whoever holds it. */
interface Place {
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
  readonly #places: Place[]
  readonly #started = Promise.withResolvers<void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #watchdog: Watchdog<Place>
  #isStarted = false
  #isStopping = false

  constructor(site: Site, options: WorkersOptions) {
    this.#site = site
    // Who stops it before it was started asks for no answer.
    this.#started.promise.catch(() => {})
    this.#options = { program: PROGRAM, longestPauseMs: LONGEST_PAUSE_MS, patienceMs: PATIENCE_MS, ...options }
    this.#watchdog = new Watchdog(this.#options.patienceMs, (place) => this.#endSilent(place))
    this.#places = Array.from({ length: options.count }, (_, at) => {
      return { number: at + 1, worker: undefined, isListening: false, bornAt: 0, deaths: 0, ended: Promise.resolve() }
    })
  }

  /** Resolves when all listen. Throws what the first one failed with, or that it was told to stop. */
  start(): Promise<void> {
    cluster.schedulingPolicy = cluster.SCHED_RR
    // The settings go over the channel, as they are; nothing of them stands on a command line.
    cluster.setupPrimary({ exec: this.#options.program, args: [], serialization: 'advanced' })
    for (const place of this.#places) this.#fork(place)
    return this.#started.promise
  }

  /** Lets all finish their requests and end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watchdog.stop()
    this.#started.reject(new Explained('The site was told to stop before it served.'))
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#places.map((place) => this.#end(place)))
  }

  #fork(place: Place): void {
    const worker = cluster.fork()
    const ended = Promise.withResolvers<void>()
    const died = (why: string) => {
      ended.resolve()
      this.#watchdog.forget(place)
      this.#replace(place, why)
    }
    Object.assign(place, { worker, isListening: false, bornAt: performance.now(), ended: ended.promise })
    this.#watchdog.hear(place)
    worker.on('message', (message: unknown) => this.#hear(place, message))
    worker.on('exit', (code: number | null, signal: string | null) => died(signal ?? `code ${code}`))
    // What could not even be started does not exit. All other errors are of messages to one that is gone.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) died(error.message)
    })
  }

  #hear(place: Place, given: unknown): void {
    if (!isMessage(given)) return
    const message = given as FromWorker
    this.#watchdog.hear(place)
    if (message.is === 'here') this.#welcome(place)
    if (message.is === 'listening') this.#noteListening(place)
    if (message.is === 'failed') this.#noteFailed(message.why)
    if (message.is === 'changed') {
      for (const other of this.#places) if (other !== place) tell(other.worker, message)
    }
  }

  #welcome({ number, worker }: Place): void {
    if (this.#isStopping) tell(worker, { is: 'stop' })
    else tell(worker, { is: 'start', site: this.#site, isFirst: number === 1 })
  }

  #noteListening(place: Place): void {
    place.isListening = true
    if (!this.#places.every((each) => each.isListening)) return
    this.#isStarted = true
    this.#started.resolve()
  }

  #noteFailed(why: string): void {
    if (this.#isStarted) console.error(why)
    else this.#started.reject(new Explained(why))
  }

  #endSilent({ number, worker }: Place): void {
    console.error(`Server process ${number} said nothing for ${this.#options.patienceMs / 1000} s.`)
    worker?.process.kill('SIGKILL')
  }

  #replace(place: Place, why: string): void {
    place.isListening = false
    if (this.#isStopping) return
    if (!this.#isStarted) {
      this.#started.reject(new Explained(`A server process ended while it was starting (${why}).`))
      return
    }
    const hasSettled = performance.now() - place.bornAt >= SETTLED_MS
    place.deaths = hasSettled ? 1 : place.deaths + 1
    if (place.deaths >= GIVE_UP_AFTER && !this.#places.some((each) => each.isListening)) {
      this.#isStopping = true
      console.error(`No server process stays alive: ${GIVE_UP_AFTER} in a row ended at once, the last one by ${why}.`)
      this.#options.giveUp()
      return
    }
    console.error(`Server process ${place.number} ended (${why}); another one takes its place.`)
    this.#forkLater(place)
  }

  #forkLater(place: Place): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (place.deaths - 1), this.#options.longestPauseMs)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#fork(place)
    }, pause)
    this.#timers.add(timer)
  }

  async #end({ worker, ended }: Place): Promise<void> {
    if (!worker || worker.isDead()) return
    tell(worker, { is: 'stop' })
    const patience = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(patience)
  }
}

/** Nobody is told who is gone. */
function tell(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {})
}
