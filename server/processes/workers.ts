import cluster, { type Worker } from 'node:cluster'
import path from 'node:path'
import { UserFacingError } from '#server/config/values.ts'
import type { Site } from './prepare.ts'

export type MessageToWorker =
  | { type: 'start'; site: Site; isFirst: boolean }
  /** A peer worker committed changes of these scripts. */
  | { type: 'changed'; scriptIds: readonly number[] }
  | { type: 'stop' }

export type MessageFromWorker =
  | { type: 'ready' }
  | { type: 'heartbeat' }
  | { type: 'listening' }
  | { type: 'failed'; reason: string }
  | { type: 'changed'; scriptIds: readonly number[] }

/** Whether a message is one of ours: Node and file watchers use the same channel. */
export function isMessage(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export const HEARTBEAT_INTERVAL_MS = 5000
const HEARTBEAT_TIMEOUT_MS = 30_000

const PROGRAM = path.join(import.meta.dirname, 'worker.ts')
/** A worker that ran this long did not end because of a failed start. */
const STABLE_AFTER_MS = 30_000
const FIRST_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 10_000
const MAX_FAILED_STARTS = 10
/** Longer than any request may take. */
const STOP_TIMEOUT_MS = 40_000

export interface WorkersOptions {
  count: number
  /** Called if no worker serves and none can be started. */
  giveUp: () => void
  program?: string
  maxRestartDelayMs?: number
  heartbeatTimeoutMs?: number
}

/** One of the `count` workers; its process may be replaced. */
interface WorkerSlot {
  number: number
  worker: Worker | undefined
  isListening: boolean
  startedAt: number
  /** Starts in a row that ended before the worker was stable. */
  failedStarts: number
  ended: Promise<void>
}

/**
 * Worker processes that serve the site behind one port. A worker that dies or hangs is replaced; changes that one worker
 * commits are passed on to its peers.
 */
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
    // `stop` rejects it even if nobody called `start`.
    this.#started.promise.catch(() => {})
    this.#options = {
      program: PROGRAM,
      maxRestartDelayMs: MAX_RESTART_DELAY_MS,
      heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
      ...options,
    }
    this.#watchdog = new Watchdog(this.#options.heartbeatTimeoutMs, (slot) => this.#killSilent(slot))
    this.#slots = Array.from({ length: options.count }, (_, i) => ({
      number: i + 1,
      worker: undefined,
      isListening: false,
      startedAt: 0,
      failedStarts: 0,
      ended: Promise.resolve(),
    }))
  }

  /** Resolves when all workers listen. Throws UserFacingError if one fails to start or `stop` is called. */
  start(): Promise<void> {
    // With the default policy, connections passed to a worker that is killed stay open without an answer (decision 34).
    cluster.schedulingPolicy = cluster.SCHED_NONE
    // The settings, secrets included, travel over the channel and not on a command line.
    cluster.setupPrimary({ exec: this.#options.program, args: [], serialization: 'advanced' })
    for (const slot of this.#slots) this.#fork(slot)
    return this.#started.promise
  }

  /** Lets all workers finish their requests and exit. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watchdog.stop()
    this.#started.reject(new UserFacingError('The site was stopped while it was starting.'))
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#slots.map((slot) => this.#stopWorker(slot)))
  }

  #fork(slot: WorkerSlot): void {
    const worker = cluster.fork()
    const ended = Promise.withResolvers<void>()
    const onEnd = (reason: string) => {
      ended.resolve()
      this.#watchdog.remove(slot)
      this.#replace(slot, reason)
    }
    Object.assign(slot, { worker, isListening: false, startedAt: performance.now(), ended: ended.promise })
    this.#watchdog.recordHeartbeat(slot)
    worker.on('message', (message: unknown) => this.#receive(slot, message))
    worker.on('exit', (code: number | null, signal: string | null) => onEnd(signal ?? `code ${code}`))
    // A process that could not be spawned does not exit. All other errors are messages to one that has ended.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) onEnd(error.message)
    })
  }

  #receive(slot: WorkerSlot, value: unknown): void {
    if (!isMessage(value)) return
    const message = value as MessageFromWorker
    this.#watchdog.recordHeartbeat(slot)
    if (message.type === 'ready') this.#sendStart(slot)
    if (message.type === 'listening') this.#setListening(slot)
    if (message.type === 'failed') this.#reportFailure(message.reason)
    if (message.type === 'changed') {
      for (const other of this.#slots) if (other !== slot) send(other.worker, message)
    }
  }

  #sendStart({ number, worker }: WorkerSlot): void {
    if (this.#isStopping) send(worker, { type: 'stop' })
    else send(worker, { type: 'start', site: this.#site, isFirst: number === 1 })
  }

  #setListening(slot: WorkerSlot): void {
    slot.isListening = true
    if (!this.#slots.every(({ isListening }) => isListening)) return
    this.#isStarted = true
    this.#started.resolve()
  }

  #reportFailure(reason: string): void {
    if (this.#isStarted) console.error(reason)
    else this.#started.reject(new UserFacingError(reason))
  }

  #killSilent({ number, worker }: WorkerSlot): void {
    const seconds = this.#options.heartbeatTimeoutMs / 1000
    console.error(`Worker ${number} sent no heartbeat for ${seconds} s and is killed.`)
    worker?.process.kill('SIGKILL')
  }

  #replace(slot: WorkerSlot, reason: string): void {
    slot.isListening = false
    if (this.#isStopping) return
    if (!this.#isStarted) {
      this.#started.reject(new UserFacingError(`A worker exited while it was starting (${reason}).`))
      return
    }
    const wasStable = performance.now() - slot.startedAt >= STABLE_AFTER_MS
    slot.failedStarts = wasStable ? 1 : slot.failedStarts + 1
    if (slot.failedStarts >= MAX_FAILED_STARTS && !this.#slots.some(({ isListening }) => isListening)) {
      this.#isStopping = true
      console.error(`No worker stays alive: ${MAX_FAILED_STARTS} in a row exited after their start, last by ${reason}.`)
      this.#options.giveUp()
      return
    }
    console.error(`Worker ${slot.number} exited (${reason}); starting another one.`)
    this.#forkLater(slot)
  }

  #forkLater(slot: WorkerSlot): void {
    const delay = Math.min(FIRST_RESTART_DELAY_MS * 2 ** (slot.failedStarts - 1), this.#options.maxRestartDelayMs)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#fork(slot)
    }, delay)
    this.#timers.add(timer)
  }

  async #stopWorker({ worker, ended }: WorkerSlot): Promise<void> {
    if (!worker || worker.isDead()) return
    send(worker, { type: 'stop' })
    const timeout = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timeout)
  }
}

function send(worker: Worker | undefined, message: MessageToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {})
}

/** Reports each source that sent no heartbeat for too long. A blocked event loop does not end its process. */
export class Watchdog<T> {
  readonly #timeoutMs: number
  readonly #onSilent: (source: T) => void
  readonly #lastHeartbeats = new Map<T, number>()
  readonly #timer: NodeJS.Timeout
  #checkedAt = performance.now()

  /** Calls `onSilent` once for each silent source, until it sends a heartbeat again. */
  constructor(timeoutMs: number, onSilent: (source: T) => void) {
    this.#timeoutMs = timeoutMs
    this.#onSilent = onSilent
    this.#timer = setInterval(() => this.#check(), timeoutMs / 6).unref()
  }

  recordHeartbeat(source: T): void {
    this.#lastHeartbeats.set(source, performance.now())
  }

  remove(source: T): void {
    this.#lastHeartbeats.delete(source)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = performance.now()
    // If this process was blocked itself, heartbeats wait in its queue.
    const wasBlocked = now - this.#checkedAt > this.#timeoutMs / 2
    this.#checkedAt = now
    for (const [source, heartbeatAt] of this.#lastHeartbeats) {
      if (wasBlocked) this.#lastHeartbeats.set(source, now)
      else if (now - heartbeatAt > this.#timeoutMs) {
        this.#lastHeartbeats.delete(source)
        this.#onSilent(source)
      }
    }
  }
}
