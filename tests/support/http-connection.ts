import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { vi } from 'vitest'
import type { SiteProcess } from './site-process.ts'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: object
}

export interface TextResponse {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** A keep-alive connection to a site. All its requests reach the same worker. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async request(path: string, sent: RequestOptions = {}): Promise<TextResponse> {
    const response = await this.stream(path, sent)
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
  }

  async requestJson<T>(path: string, sent: RequestOptions = {}): Promise<T> {
    return (await json(await this.stream(path, sent))) as T
  }

  /** Resolves with the response head; the body can be streamed. */
  stream(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}): Promise<IncomingMessage> {
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

/** The process id in the log line of a request; undefined before the line is complete. */
function findLoggedPid(output: string, path: string): number | undefined {
  const found = output.indexOf(`"path":"${path}"`)
  const end = output.indexOf('\n', found)
  if (found === -1 || end === -1) return undefined
  return (JSON.parse(output.slice(output.lastIndexOf('\n', found) + 1, end)) as { pid?: number }).pid
}

/** Process id of the worker that serves a connection, read from its request log. */
export async function findServingProcess(run: SiteProcess, connection: Connection): Promise<number> {
  const path = `/api/who-${randomUUID()}`
  await connection.request(path)
  return vi.waitUntil(() => findLoggedPid(run.output(), path), { timeout: 10_000, interval: 20 })
}

/** Connections opened at once: an idle worker may accept each of several that come one after the other. */
const BATCH = 16
const MAX_BATCHES = 10

/** A connection to each worker, ordered by process id. */
export async function connectToEach(run: SiteProcess, processes: number): Promise<Map<number, Connection>> {
  const origin = await run.origin()
  const found = new Map<number, Connection>()
  for (let batches = 0; found.size < processes && batches < MAX_BATCHES; batches++) {
    const connections = Array.from({ length: BATCH }, () => new Connection(origin))
    const serving = await Promise.all(connections.map((connection) => findServingProcess(run, connection)))
    for (const [i, connection] of connections.entries()) {
      const pid = serving[i]
      if (pid === undefined || found.has(pid)) connection.close()
      else found.set(pid, connection)
    }
  }
  if (found.size < processes) throw new Error(`${found.size} of ${processes} processes responded.`)
  return new Map([...found].toSorted(([a], [b]) => a - b))
}
