import cluster, { type Worker } from 'node:cluster'
import path from 'node:path'
import { UserFacingError } from '#server/platform/config/values.ts'
import type { Site } from './prepare.ts'

/** Raise it when workers of another version would misunderstand these messages: a reload is rejected then. */
export const PROTOCOL = 1

export type MessageToWorker =
  | { type: 'start'; site: Site; isFirst: boolean; isReplacement: boolean }
  | { type: 'changed'; scriptIds: readonly number[] }
  /** Stop once clients have gone to other workers. */
  | { type: 'drain' }
  | { type: 'stop' }

export type MessageFromWorker =
  | { type: 'ready'; protocol?: number }
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
/** For the start of a worker that replaces one; longer than the wait for its index. */
const REPLACEMENT_TIMEOUT_MS = 120_000
/** A worker that ran this long did not end because of a failed start. */
const STABLE_AFTER_MS = 30_000
const FIRST_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 10_000
const MAX_FAILED_STARTS = 10
/** Longer than any request may take, and than clients may stay. */
const STOP_TIMEOUTS_MS = { stop: 40_000, drain: 60_000 }

export interface WorkersOptions {
  count: number
  giveUp: () => void
  program?: string
  maxRestartDelayMs?: number
  heartbeatTimeoutMs?: number
}

export interface Version {
  site: Site
  program: string
  node: string
}

/** One of the `count` workers; its process may be replaced. */
interface WorkerSlot {
  number: number
  version: Version
  replacing: PromiseWithResolvers<void> | undefined
  worker: Worker | undefined
  isListening: boolean
  startedAt: number
  /** Starts in a row that ended before the worker was stable. */
  failedStarts: number
  ended: Promise<void>
}

/** A worker that dies or hangs is replaced; changes that one worker commits are passed on to its peers. */
export class Workers {
  readonly #options: Required<WorkersOptions>
  #version: Version
  readonly #slots: WorkerSlot[]
  /** Slots with a process, including replacements that start and workers that drain. */
  readonly #living = new Set<WorkerSlot>()
  readonly #started = Promise.withResolvers<void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #watchdog: Watchdog<WorkerSlot>
  #isStarted = false
  #isStopping = false
  #isReplacing = false

  constructor(site: Site, options: WorkersOptions) {
    // `stop` rejects it even if nobody called `start`.
    this.#started.promise.catch(() => {})
    this.#options = {
      program: PROGRAM,
      maxRestartDelayMs: MAX_RESTART_DELAY_MS,
      heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
      ...options,
    }
    this.#watchdog = new Watchdog(this.#options.heartbeatTimeoutMs, (slot) => this.#killSilent(slot))
    this.#version = { site, program: this.#options.program, node: process.execPath }
    this.#slots = Array.from({ length: options.count }, (_, i) => createSlot(i + 1, this.#version))
  }

  /** Resolves when all workers listen. Throws UserFacingError if one fails to start or `stop` is called. */
  start(): Promise<void> {
    // With the default policy, connections passed to a worker that is killed stay open without an answer (decision 34).
    cluster.schedulingPolicy = cluster.SCHED_NONE
    for (const slot of this.#slots) this.#fork(slot)
    return this.#started.promise
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#watchdog.stop()
    this.#started.reject(new UserFacingError('The site was stopped while it was starting.'))
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all([...this.#living].map((slot) => this.#stopWorker(slot, 'stop')))
  }

  /** Starts a new worker before stopping a former one. Throws UserFacingError if one fails; those not replaced go on. */
  async replaceAll(version: Version, onReplaced: (count: number) => void): Promise<void> {
    if (this.#isReplacing) throw new UserFacingError('The workers are being replaced already. Wait until that is done.')
    this.#isReplacing = true
    try {
      for (const [i, former] of this.#slots.entries()) {
        if (this.#isStopping) throw new UserFacingError('The site is being stopped.')
        const slot = createSlot(former.number, version)
        await this.#startReplacement(slot)
        // From now on a worker that dies is replaced by one of the new version too.
        this.#version = version
        this.#slots[i] = slot
        await this.#stopWorker(former, 'drain')
        onReplaced(i + 1)
      }
    } finally {
      this.#isReplacing = false
    }
  }

  async #startReplacement(slot: WorkerSlot): Promise<void> {
    const replacing = Promise.withResolvers<void>()
    slot.replacing = replacing
    this.#fork(slot)
    const timeout = setTimeout(
      () => replacing.reject(new UserFacingError('A worker of the new version does not start to listen.')),
      REPLACEMENT_TIMEOUT_MS,
    )
    try {
      await replacing.promise
    } catch (error) {
      slot.worker?.process.kill('SIGKILL')
      throw error
    } finally {
      clearTimeout(timeout)
      slot.replacing = undefined
    }
  }

  #fork(slot: WorkerSlot): void {
    const worker = forkWorker(slot.version)
    const ended = Promise.withResolvers<void>()
    const onEnd = (reason: string) => {
      ended.resolve()
      this.#watchdog.remove(slot)
      this.#living.delete(slot)
      slot.replacing?.reject(
        new UserFacingError(`A worker of the new version exited while it was starting (${reason}).`),
      )
      if (this.#slots.includes(slot)) this.#replace(slot, reason)
    }
    this.#living.add(slot)
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
    if (message.type === 'ready') this.#sendStart(slot, message.protocol)
    if (message.type === 'listening') this.#setListening(slot)
    if (message.type === 'failed') this.#reportFailure(slot, message.reason)
    if (message.type === 'changed') {
      for (const peer of this.#living) if (peer !== slot) send(peer.worker, message)
    }
  }

  #sendStart({ number, worker, version, replacing }: WorkerSlot, protocol: number | undefined): void {
    if (replacing && protocol !== PROTOCOL)
      replacing.reject(new UserFacingError('This version needs a restart: stop the site and start it again.'))
    else if (this.#isStopping) send(worker, { type: 'stop' })
    else
      send(worker, { type: 'start', site: version.site, isFirst: number === 1, isReplacement: replacing !== undefined })
  }

  #setListening(slot: WorkerSlot): void {
    slot.isListening = true
    slot.replacing?.resolve()
    if (!this.#slots.every(({ isListening }) => isListening)) return
    this.#isStarted = true
    this.#started.resolve()
  }

  #reportFailure({ replacing }: WorkerSlot, reason: string): void {
    if (replacing) replacing.reject(new UserFacingError(reason))
    else if (this.#isStarted) console.error(reason)
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
      slot.version = this.#version
      if (this.#slots.includes(slot)) this.#fork(slot)
    }, delay)
    this.#timers.add(timer)
  }

  async #stopWorker({ worker, ended }: WorkerSlot, type: 'stop' | 'drain'): Promise<void> {
    if (!worker || worker.isDead()) return
    send(worker, { type })
    const timeout = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUTS_MS[type])
    await ended
    clearTimeout(timeout)
  }
}

function createSlot(number: number, version: Version): WorkerSlot {
  return {
    number,
    version,
    replacing: undefined,
    worker: undefined,
    isListening: false,
    startedAt: 0,
    failedStarts: 0,
    ended: Promise.resolve(),
  }
}

function forkWorker({ program, node }: Version): Worker {
  // The settings, secrets included, travel over the channel and not on a command line.
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' })
  const { execPath } = process
  // The only way to choose the Node of a cluster's worker.
  process.execPath = node
  try {
    return cluster.fork()
  } finally {
    process.execPath = execPath
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
