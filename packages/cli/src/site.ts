import { CliError, EXIT } from './errors.ts'

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  body?: object
  headers?: Record<string, string>
}

interface Problem {
  error?: string
  code?: string
  fields?: Record<string, string>
}

const TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 4
/** A longer wait is reported instead. */
const MAX_WAIT_SECONDS = 30

export class SiteApi {
  readonly #origin: string
  readonly #token: string | undefined
  readonly #report: (text: string) => void

  constructor(origin: string, token: string | undefined, report: (text: string) => void) {
    this.#origin = origin
    this.#token = token
    this.#report = report
  }

  /** Sends a request below /api/v1. All requests may be repeated. Throws CliError with the site's sentence and code. */
  async send(url: string, request: Request = {}): Promise<{ status: number; body: unknown }> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#fetch(url, request)
      const body = (await response.json().catch(() => ({}))) as Problem
      if (response.ok) return { status: response.status, body }
      const seconds = readRetryAfter(response.headers.get('retry-after'))
      const mayRetry = (response.status === 429 || response.status === 503) && seconds <= MAX_WAIT_SECONDS
      if (!mayRetry || attempt === MAX_ATTEMPTS) throw toError(response.status, this.#token, body)
      this.#report(`The site is busy; trying again in ${seconds} s.`)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  async #fetch(url: string, { method = 'GET', body, headers = {} }: Request): Promise<Response> {
    try {
      return await fetch(`${this.#origin}/api/v1${url}`, {
        method,
        // A redirect could lead the token elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
          'user-agent': 'scriptyard-cli',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
      throw new CliError('unreachable', EXIT.unavailable, `${this.#origin} cannot be reached${reason}.`)
    }
  }
}

/** Seconds to wait, as a number or a date (RFC 9110, 10.2.3). NaN without a valid value. */
function readRetryAfter(value: string | null): number {
  if (/^\d+$/.test(value ?? '')) return Number(value)
  return Math.max(0, Math.ceil((Date.parse(value ?? '') - Date.now()) / 1000))
}

function toError(
  status: number,
  token: string | undefined,
  { error, code = `http_${status}`, fields = {} }: Problem,
): CliError {
  const exit =
    status === 401 || status === 403 ? EXIT.denied : status === 429 || status >= 500 ? EXIT.unavailable : EXIT.failed
  if (status === 401 && token !== undefined) {
    const message = 'The site rejects the token: it expired, was deleted, or is for another site. Run scriptyard login.'
    return new CliError(code, exit, message, fields)
  }
  return new CliError(code, exit, error ?? `The site answered with status ${status}.`, fields)
}
