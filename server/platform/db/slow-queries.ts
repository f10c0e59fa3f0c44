import type { FastifyBaseLogger } from 'fastify'
import { currentWork } from './current-work.ts'
import type { QueryListener } from './pool.ts'

/** An overloaded database makes every statement slow. */
const MAX_LINES = 10
const WINDOW_MS = 10_000
const MAX_STATEMENT_LENGTH = 1000

const TEXTS = /'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$/g
const NUMBERS = /(?<![\w$.])\d+(?:\.\d+)?\b/g

/** Puts a statement on one line and removes its values. Parameters have none. */
export function withoutValues(statement: string): string {
  const plain = statement.replace(TEXTS, '?').replace(NUMBERS, '?').replaceAll(/\s+/g, ' ').trim()
  return plain.length > MAX_STATEMENT_LENGTH ? `${plain.slice(0, MAX_STATEMENT_LENGTH)}…` : plain
}

/** Logs statements that take long, and callers that wait long for a connection, at most ten per ten seconds. */
export class SlowQueryLog implements QueryListener {
  readonly #log: FastifyBaseLogger
  readonly #thresholdMs: number
  #windowStart = -Infinity
  #lines = 0
  #omitted = 0

  constructor(log: FastifyBaseLogger, thresholdMs: number) {
    this.#log = log
    this.#thresholdMs = thresholdMs
  }

  onQuery(statement: string): (error?: unknown) => void {
    const startedAt = performance.now()
    return () => {
      const ms = performance.now() - startedAt
      if (ms >= this.#thresholdMs) this.#write('slow query', ms, { statement: withoutValues(statement) })
    }
  }

  onConnection(waitedMs: number): void {
    if (waitedMs >= this.#thresholdMs) this.#write('slow database connection', waitedMs, {})
  }

  #write(message: string, ms: number, fields: { statement?: string }): void {
    const now = performance.now()
    if (now - this.#windowStart > WINDOW_MS) {
      this.#windowStart = now
      this.#lines = 0
    }
    if (++this.#lines > MAX_LINES) {
      this.#omitted++
      return
    }
    const omitted = this.#omitted > 0 ? { omitted: this.#omitted } : {}
    this.#omitted = 0
    this.#log.warn({ ms: Math.round(ms), work: currentWork.getStore()?.name, ...fields, ...omitted }, message)
  }
}
