import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import path from 'node:path'
import { Channel, encodeMessage } from './channel.ts'
import type { ShardIndex } from './shard-index.ts'
import type { Reply } from './shard-process.ts'

/** The methods of `ShardIndex`, which run in its process. */
export type Method = {
  [Name in keyof ShardIndex]: ShardIndex[Name] extends (...parameters: never[]) => unknown ? Name : never
}[keyof ShardIndex]
export type MethodParameters<Name extends Method> = Parameters<ShardIndex[Name]>
export type Result<Name extends Method> = Awaited<ReturnType<ShardIndex[Name]>>

/** The error of a query while the process of a shard is not running, or not filled yet. */
export class ShardUnavailableError extends Error {
  readonly code = 'shard_unavailable'
  override readonly name = 'ShardUnavailableError'
  readonly shard: number

  constructor(shard: number, reason: string) {
    super(`shard ${shard} is not available: ${reason}`)
    this.shard = shard
  }
}

/** The error of a query that a shard did not answer in time. */
export class ShardTimeoutError extends Error {
  readonly code = 'shard_timeout'
  override readonly name = 'ShardTimeoutError'
  readonly shard: number

  constructor(shard: number, ms: number) {
    super(`shard ${shard} did not answer within ${ms} ms`)
    this.shard = shard
  }
}

// The same extension as this file: the package is also published as JavaScript.
const PROGRAM = path.join(import.meta.dirname, `shard-process${path.extname(import.meta.filename)}`)

let lastCall = 0

/** A call that can be sent to several shards, encoded once. */
export class EncodedCall<Name extends Method | 'open'> {
  readonly id = ++lastCall
  readonly frame: Buffer
  /** Not read: it makes `Name` part of the type. */
  readonly method: Name

  constructor(method: Name, ...parameters: unknown[]) {
    this.method = method
    this.frame = encodeMessage([this.id, method, ...parameters])
  }
}

interface PendingCall {
  resolve(result: unknown): void
  reject(error: Error): void
  timer: NodeJS.Timeout | undefined
}

/** The process of one shard. Calls are answered in the order in which they are sent. */
export class ShardClient {
  readonly #shard: number
  readonly #child: ChildProcess
  readonly #channel: Channel
  readonly #pending = new Map<number, PendingCall>()
  readonly #exited: Promise<void>
  #end: string | undefined
  #unanswered = 0
  #silentSince = 0

  /** `onExit` is called once, with the reason. */
  constructor(shard: number, nodeOptions: readonly string[], onExit: (reason: string) => void) {
    this.#shard = shard
    this.#child = spawn(process.execPath, [...nodeOptions, PROGRAM], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    this.#channel = new Channel(this.#child.stdio[3] as Socket, (message) => this.#receive(message as Reply))
    this.#exited = new Promise((resolve) => {
      const end = (reason: string) => {
        if (this.#end === undefined) this.#fail(reason)
        resolve()
        onExit(this.#end ?? reason)
      }
      this.#child.once('error', (error) => end(error.message))
      this.#child.once('exit', (code, signal) => end(`its process exited (${signal ?? code})`))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isRunning(): boolean {
    return this.#end === undefined
  }

  /** Milliseconds since the last answer or the first unanswered call; 0 if every call, also a timed-out one, is answered. */
  get silentMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#silentSince
  }

  /** Rejects with `ShardUnavailableError` when the process ends first, and with `ShardTimeoutError` after `timeoutMs`. */
  call<Name extends Method>(call: EncodedCall<Name>, timeoutMs?: number): Promise<Result<Name>>
  call(call: EncodedCall<'open'>, timeoutMs?: number): Promise<void>
  call(call: EncodedCall<Method | 'open'>, timeoutMs?: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(new ShardUnavailableError(this.#shard, this.#end))
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#expire(call.id, timeoutMs), timeoutMs)
      this.#pending.set(call.id, { resolve, reject, timer })
      if (this.#unanswered++ === 0) this.#silentSince = performance.now()
      this.#channel.send(call.frame)
    })
  }

  /** Kills the process. `onExit` gets this reason. */
  async kill(reason: string): Promise<void> {
    this.#fail(reason)
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  #receive([id, result, error]: Reply): void {
    this.#unanswered--
    this.#silentSince = performance.now()
    const call = this.#take(id)
    if (!error) call?.resolve(result)
    else call?.reject(error.name === 'RangeError' ? new RangeError(error.message) : new Error(error.message))
  }

  #expire(id: number, ms: number): void {
    this.#take(id)?.reject(new ShardTimeoutError(this.#shard, ms))
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(call?.timer)
    return call
  }

  #fail(reason: string): void {
    this.#end ??= reason
    for (const id of this.#pending.keys()) this.#take(id)?.reject(new ShardUnavailableError(this.#shard, this.#end))
    this.#channel.close()
  }
}
