import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { ReceivedEvent } from './webhook-receiver.ts'

/** Another process that receives webhooks and verifies their signatures. */
export class Receiver {
  readonly #child = fork(path.join(import.meta.dirname, 'webhook-receiver.ts'))
  #origin = ''
  #resets = 0
  url = ''

  async start(): Promise<void> {
    const [{ port }] = (await once(this.#child, 'message')) as [{ port: number }]
    this.#origin = `http://127.0.0.1:${port}`
    this.url = `${this.#origin}/hook`
  }

  /** Forgets everything and receives at another URL, so that late deliveries of the test before are not counted. */
  async reset(): Promise<void> {
    const name = `/hook/${++this.#resets}`
    await this.#ask({ path: name })
    this.url = this.#origin + name
  }

  async configure(settings: object): Promise<void> {
    await this.#ask(settings)
  }

  async received(): Promise<ReceivedEvent[]> {
    return (await this.#ask('received')) as ReceivedEvent[]
  }

  async close(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
  }

  async #ask(message: object | string): Promise<unknown> {
    const answer = once(this.#child, 'message')
    this.#child.send(message)
    return (await answer)[0]
  }
}
