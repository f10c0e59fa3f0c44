// Public keys of the servers that issue ID tokens: OpenID Connect Discovery 1.0 and JWK Sets (RFC 7517).
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { AppError } from '#server/platform/http/errors.ts'
import { type PublicClient, RequestError } from '#server/platform/http/public-client.ts'

const MAX_DOCUMENT_BYTES = 262_144
const CACHE_MS = 10 * 60_000
/** While the issuer is down, its keys are used for a day. */
const STALE_MS = 24 * 60 * 60_000
const RETRY_AFTER_SECONDS = 5

export interface IssuerKeysOptions {
  client: Pick<PublicClient, 'send'>
  /** Time between two requests for keys that a token names and the issuer did not have. 30 seconds by default. */
  refetchMs?: number
  /** Time between two requests to an issuer that failed. 5 seconds by default. */
  retryMs?: number
}

const unavailable = (cause: unknown, sentence: string) =>
  new AppError('issuer_unavailable', 503, `The keys of the token's issuer could not be read. ${sentence}`, {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  })

type FindKey = ReturnType<typeof createLocalJWKSet>

/** The keys of one issuer. Requests for tokens with unknown keys are limited, because anybody can make up such tokens. */
export class IssuerKeys {
  readonly #issuer: string
  readonly #options: Required<IssuerKeysOptions>
  #keys: { find: FindKey; loadedAt: number } | undefined
  #failure: { error: Error; time: number } | undefined
  #requestedAt = -Infinity
  #loading: Promise<void> | undefined

  constructor(issuer: string, options: IssuerKeysOptions) {
    this.#issuer = issuer
    this.#options = { refetchMs: 30_000, retryMs: 5000, ...options }
  }

  /** The key that a token names. Throws AppError `issuer_unavailable`, and JWKSNoMatchingKey of jose. */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Awaited<ReturnType<FindKey>>> {
    const keys = await this.#getKeys()
    try {
      return await keys(header, token)
    } catch (error) {
      const isKnown = !(error instanceof errors.JWKSNoMatchingKey)
      if (isKnown || performance.now() - this.#requestedAt < this.#options.refetchMs) throw error
      // The issuer may have changed its keys.
      await this.#load()
      return (await this.#getKeys())(header, token)
    }
  }

  async #getKeys(): Promise<FindKey> {
    const now = performance.now()
    if (!this.#keys || now - this.#keys.loadedAt > CACHE_MS) {
      const hasFailed = this.#failure && now - this.#failure.time < this.#options.retryMs
      if (!hasFailed) await this.#load()
    }
    if (this.#keys && now - this.#keys.loadedAt < STALE_MS) return this.#keys.find
    throw this.#failure?.error ?? unavailable(undefined, 'Try again in a moment.')
  }

  /** Concurrent calls share one request. */
  #load(): Promise<void> {
    this.#requestedAt = performance.now()
    this.#loading ??= this.#replaceKeys().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  /** Remembers a failure instead of throwing it. */
  async #replaceKeys(): Promise<void> {
    try {
      this.#keys = { find: await this.#request(), loadedAt: performance.now() }
      this.#failure = undefined
    } catch (error) {
      this.#failure = { error: error as Error, time: performance.now() }
    }
  }

  async #request(): Promise<FindKey> {
    const { issuer, jwks_uri } = await this.#read(new URL(`${this.#issuer}/.well-known/openid-configuration`))
    const url = typeof jwks_uri === 'string' ? URL.parse(jwks_uri) : null
    // Keys from elsewhere would be trusted like those of the issuer.
    if (issuer !== this.#issuer || url?.origin !== new URL(this.#issuer).origin) {
      throw unavailable(undefined, 'Its configuration is not valid.')
    }
    const keys = await this.#read(url)
    try {
      return createLocalJWKSet(keys as unknown as JSONWebKeySet)
    } catch (error) {
      throw unavailable(error, 'Its answer has no keys.')
    }
  }

  async #read(url: URL): Promise<Record<string, unknown>> {
    const request = { headers: { accept: 'application/json' }, maxResponseBytes: MAX_DOCUMENT_BYTES }
    const { status, body } = await this.#options.client.send(url, request).catch((error: Error) => {
      throw unavailable(error, error instanceof RequestError ? error.message : 'Try again in a moment.')
    })
    if (status !== 200) throw unavailable(undefined, `It answered with status ${status}.`)
    try {
      const value: unknown = JSON.parse(body.toString('utf8'))
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
    } catch {
      // The sentence below covers it.
    }
    throw unavailable(undefined, 'Its answer is not JSON.')
  }
}
