// Security events as log lines, for the operator's log analysis. They have ids and networks, never tokens, names or bodies.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { isInProcess } from '#server/platform/http/in-process.ts'
import { networkOf } from '#server/platform/http/rate-limits.ts'
import type { App } from '#server/platform/http/app.ts'

export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_rejected'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'unauthenticated'
  | 'denied'
  | 'rate_limited'
  | 'role_change'
  | 'admin_by_setting'
  | 'admin_by_setup'
  | 'data_export'
  | 'account_deletion'
  | 'api_token_created'
  | 'api_token_revoked'
  | 'trusted_publisher_added'
  | 'trusted_publisher_removed'
  | 'only_builds_on'
  | 'only_builds_off'
  | 'repository_connected'
  | 'repository_disconnected'
  | 'id_token_exchanged'
  | 'id_token_rejected'

interface Fields {
  /** The member who acts; by default the one that `identify` has named. */
  member_id?: number | undefined
  reason?: string
  /** What was done, and to which members; or the scripts that a build may publish. */
  action?: string
  subject_ids?: number[]
}

export interface SecurityLogOptions {
  windowMs?: number
  /** Different repeated events in one window; further ones count as one, without network and member. */
  maxCounters?: number
}

interface Counter {
  line: Fields & { event: SecurityEvent; network: string }
  count: number
}

const STATUS_EVENTS: Readonly<Record<number, SecurityEvent>> = {
  401: 'unauthenticated',
  403: 'denied',
  429: 'rate_limited',
}
const MESSAGE = 'security event'

/** Writes security events. Events that a client can repeat at will are counted and written once per window. */
export class SecurityLog {
  readonly #log: FastifyBaseLogger
  readonly #windowMs: number
  readonly #maxCounters: number
  readonly #members = new WeakMap<FastifyRequest, number>()
  readonly #counters = new Map<string, Counter>()
  #timer: NodeJS.Timeout | undefined

  /** Lines are written at every log level but `silent`. */
  constructor(log: FastifyBaseLogger, { windowMs = 60_000, maxCounters = 1000 }: SecurityLogOptions = {}) {
    this.#log = log.level === 'silent' ? log : log.child({}, { level: 'info' })
    this.#windowMs = windowMs
    this.#maxCounters = maxCounters
  }

  identify(request: FastifyRequest, memberId: number): void {
    this.#members.set(request, memberId)
  }

  record(request: FastifyRequest, event: SecurityEvent, fields: Fields = {}): void {
    this.#log.info(this.#toLine(request, event, fields), MESSAGE)
  }

  /** Counts an event. The line is written at the end of the window, with the number of equal events. */
  count(request: FastifyRequest, event: SecurityEvent, fields: Fields = {}): void {
    const own = this.#toLine(request, event, fields)
    const isFull = this.#counters.size >= this.#maxCounters && !this.#counters.has(JSON.stringify(own))
    const line = isFull ? { event, network: 'others' } : own
    const key = JSON.stringify(line)
    const counter = this.#counters.get(key)
    if (counter) counter.count++
    else this.#counters.set(key, { line, count: 1 })
    this.#timer ??= setTimeout(() => this.flush(), this.#windowMs).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { line, count } of this.#counters.values()) this.#log.info({ ...line, count }, MESSAGE)
    this.#counters.clear()
  }

  #toLine(request: FastifyRequest, event: SecurityEvent, fields: Fields): Counter['line'] {
    const memberId = this.#members.get(request)
    return { event, network: describeNetwork(request.ip), ...(memberId ? { member_id: memberId } : {}), ...fields }
  }
}

/** An IPv4 address, or the first 64 bits of an IPv6 address as a prefix. */
function describeNetwork(ip: string): string {
  const network = networkOf(ip)
  return network.includes(':') ? `${network}::/64` : network
}

/** Counts responses with status 401, 403 and 429, and writes what is left when the app closes. */
export function logDenials(app: App, securityLog: SecurityLog): void {
  app.addHook('onResponse', async (request, reply) => {
    const event = STATUS_EVENTS[reply.statusCode]
    if (event && !isInProcess(request)) securityLog.count(request, event)
  })
  app.addHook('onClose', async () => securityLog.flush())
}
