import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { vi } from 'vitest'
import type { Run } from './site-process.ts'

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: object
}

export interface Got {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** One connection to a site, and so to one of its processes. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async ask(path: string, sent: Sent = {}): Promise<Got> {
    const answer = await this.open(path, sent)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }
  }

  async askJson<T>(path: string, sent: Sent = {}): Promise<T> {
    return (await json(await this.open(path, sent))) as T
  }

  /** The answer from its beginning, to be read as it comes. */
  open(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
    const type = body ? { 'content-type': 'application/json' } : {}
    return new Promise((resolve, reject) => {
      const call = request(this.#origin + path, { agent: this.#agent, method, headers: { ...type, ...headers } })
      call.on('response', resolve).on('error', reject)
      call.end(body && JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

const readLines = (output: string) =>
  output.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as { pid?: number; path?: string }]
    } catch {
      return []
    }
  })

/** Which process is at the other end: the one that has the call in its log. */
export async function findProcess(run: Run, connection: Connection): Promise<number> {
  const path = `/api/who-${randomUUID()}`
  await connection.ask(path)
  return vi.waitUntil(() => readLines(run.output()).find((line) => line.path === path)?.pid, { timeout: 10_000 })
}

/** A connection to each of so many processes, in the order of their ids. */
export async function connectToEach(run: Run, processes: number): Promise<Map<number, Connection>> {
  const origin = await run.origin()
  const found = new Map<number, Connection>()
  for (let tries = 0; found.size < processes && tries < 50; tries++) {
    const connection = new Connection(origin)
    const pid = await findProcess(run, connection)
    if (found.has(pid)) connection.close()
    else found.set(pid, connection)
  }
  if (found.size < processes) throw new Error(`${found.size} of ${processes} processes answer.`)
  return new Map([...found].toSorted(([a], [b]) => a - b))
}
