import type { FastifyReply, FastifyRequest } from 'fastify'
import { makeToken } from './sessions.ts'

/** As long as a sign-in and the token it ends with may take together. */
const SECONDS = 660
const SECRET = /^[\w-]{43}$/

/**
 * The cookie that tells which browser began a sign-in. Several tabs share it. Over https its name makes the browser
 * refuse one that a neighbouring host or a plain connection planted.
 */
export class BrowserCookie {
  readonly #name: string
  readonly #traits: string

  constructor({ isHttps }: { isHttps: boolean }) {
    this.#name = isHttps ? '__Host-sign-in' : 'sign-in'
    this.#traits = `Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
  }

  /** The browser's secret, if it carries one. */
  read({ headers }: FastifyRequest): string | undefined {
    const prefix = `${this.#name}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const secret = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
    return secret && SECRET.test(secret) ? secret : undefined
  }

  /** The browser's secret, a new one where it has none; either way it lasts anew. */
  ensure(request: FastifyRequest, reply: FastifyReply): string {
    const secret = this.read(request) ?? makeToken()
    reply.header('set-cookie', `${this.#name}=${secret}; ${this.#traits}`)
    return secret
  }
}
