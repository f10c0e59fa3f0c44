import type { FastifyReply, FastifyRequest } from 'fastify'
import { makeToken } from './sessions.ts'

/** Longer than a sign-in and the session that it leads to: 10 minutes and 30 days. */
const MAX_AGE_SECONDS = 31 * 86_400
const SECRET = /^[\w-]{43}$/

/**
 * Binds a sign-in and its login token to a browser. The cookie alone authenticates nothing. With `__Host-`, no other subdomain
 * or plain connection can set it.
 */
export class BrowserCookie {
  readonly #name: string
  readonly #attributes: string

  constructor({ isHttps }: { isHttps: boolean }) {
    this.#name = isHttps ? '__Host-sign-in' : 'sign-in'
    this.#attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
  }

  read({ headers }: FastifyRequest): string | undefined {
    const prefix = `${this.#name}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const secret = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
    return secret && SECRET.test(secret) ? secret : undefined
  }

  ensure(request: FastifyRequest, reply: FastifyReply): string {
    const secret = this.read(request) ?? makeToken()
    reply.header('set-cookie', `${this.#name}=${secret}; ${this.#attributes}`)
    return secret
  }
}
