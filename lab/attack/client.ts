import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Report } from './report.ts'

export interface Sent {
  method: string
  /** Path with its query, as it goes into the request line. */
  path: string
  headers?: Record<string, string>
  body?: Buffer
}

export interface Received {
  /** 0 if the connection ended without a response. */
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const TIMEOUT_MS = 60_000

/** Sends requests to one site over keep-alive connections, and records them in a report. */
export class Client {
  readonly #agent: Agent
  readonly #port: number
  readonly #report: Report

  constructor(port: number, report: Report, connections = 16) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#port = port
    this.#report = report
  }

  /** Never rejects: a broken connection is status 0 with the error's code as text. */
  async send({ method, path, headers = {}, body }: Sent): Promise<Received> {
    const started = performance.now()
    const length = body ? { 'content-length': String(body.length) } : {}
    const received = await new Promise<Received>((resolve) => {
      const fail = (error: Error) =>
        resolve({ status: 0, headers: {}, text: 'code' in error ? String(error.code) : error.message })
      const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, timeout: TIMEOUT_MS }
      try {
        const call = request({ ...options, headers: { ...headers, ...length } }, (response) => {
          const { statusCode: status = 0, headers: fields } = response
          buffer(response).then((bytes) => resolve({ status, headers: fields, text: bytes.toString() }), fail)
        })
        call.on('error', fail).on('timeout', () => call.destroy(new Error('timeout')))
        call.end(body)
      } catch (error) {
        fail(error as Error)
      }
    })
    this.#report.recordRequest(performance.now() - started)
    return received
  }

  close(): void {
    this.#agent.destroy()
  }
}

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
