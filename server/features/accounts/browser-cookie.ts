import type { FastifyReply, FastifyRequest } from 'fastify'
import { makeToken } from './sessions.ts'

/** Lifetimes of a sign-in and of its login token together. */
const MAX_AGE_SECONDS = 660
const SECRET = /^[\w-]{43}$/

/** Binds a sign-in to its browser. With `__Host-`, no other subdomain or plain connection can set the cookie. */
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
