import {
  PublicClient,
  type PublicClientOptions,
  type PublicResponse,
  RequestError,
} from '#server/platform/http/public-client.ts'

const TIMEOUT_MS = 10_000
/** A longer response is cut off, with its connection. */
const MAX_RESPONSE_BYTES = 16_384
const LOGGED_RESPONSE_BYTES = 1024
const MAX_RETRY_AFTER_SECONDS = 3600

/** The result of one request. Never both `status` and `error`. */
export interface Attempt {
  status: number | null
  durationMs: number
  /** A sentence for the owner of the webhook. */
  error: string | null
  response: string | null
  retryAfterSeconds: number | null
}

interface Message {
  headers: Record<string, string>
  body: string
}

const FAILED = { status: null, error: null, response: null, retryAfterSeconds: null }

export class WebhookSender {
  readonly #client: PublicClient

  constructor(options: Omit<PublicClientOptions, 'timeoutMs'> & { timeoutMs?: number }) {
    this.#client = new PublicClient({ timeoutMs: TIMEOUT_MS, ...options })
  }

  /** Sends a message. Never throws. */
  async send(url: URL, { headers, body }: Message): Promise<Attempt> {
    const started = performance.now()
    const attempt = await this.#client
      .send(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        truncates: true,
      })
      .then(toAttempt, (error: Error) => ({ ...FAILED, error: describe(error) }))
    return { ...attempt, durationMs: Math.round(performance.now() - started) }
  }

  close(): void {
    this.#client.close()
  }
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). NaN without a valid one. */
const secondsUntil = (value: string | undefined): number =>
  /^\d+$/.test(value ?? '') ? Number(value) : (Date.parse(value ?? '') - Date.now()) / 1000

function toAttempt({ status, headers, body }: PublicResponse): Omit<Attempt, 'durationMs'> {
  const seconds = secondsUntil(headers['retry-after'])
  const response = body.subarray(0, LOGGED_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '')
  const retryAfterSeconds = seconds > 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_SECONDS) : null
  return { ...FAILED, status, response, retryAfterSeconds }
}

const describe = (error: Error): string =>
  error instanceof RequestError ? error.message : 'The site could not send this event.'
