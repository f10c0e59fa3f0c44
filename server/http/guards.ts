import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

type Guard<T> = (request: FastifyRequest) => Promise<T>

/** Who is calling, as the database says at this moment. */
export interface Caller {
  id: number
  username: string
  slug: string
  isAdmin: boolean
  isModerator: boolean
  isMuted: boolean
  /** Null where the mute has no end, or there is none. */
  mutedUntil: Date | null
}

/** What a route asks of who calls; each reads the session anew and throws AppError for everybody else. */
export interface Guards {
  /** Anybody; a member where the session is alive. */
  anybody: Guard<Caller | undefined>
  member: Guard<Caller>
  notMuted: Guard<Caller>
  /** Moderators and admins. */
  moderator: Guard<Caller>
  admin: Guard<Caller>
}

/** Anybody may call; nothing is known of who it is. */
export const visitor = () => undefined

const BEARER = /^Bearer ([\w-]{43})$/i

export const unauthorized = () => new AppError('unauthorized', 401, 'Unauthorized')

export const forbidden = () => new AppError('forbidden', 403, 'You are not allowed to do this.')

/** The token a request carries, if it has the form of one. */
export function readBearer({ headers }: FastifyRequest): string | undefined {
  const { authorization } = headers
  return authorization && authorization.length < 100 ? BEARER.exec(authorization)?.[1] : undefined
}

/** What a muted member is told. Takes when the mute ends, null for never. */
export function muted({ mutedUntil }: Pick<Caller, 'mutedUntil'>): AppError {
  const end = mutedUntil ? `until ${mutedUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'without an end'
  return new AppError('muted', 403, `You are muted ${end}. You can browse, but not write.`)
}

export interface GuardsOptions {
  /** Who a token belongs to. */
  findCaller: (token: string) => Promise<Caller | undefined>
  /** Told of each member who calls; may refuse. */
  onMember?: ((memberId: number, request: FastifyRequest) => Promise<void>) | undefined
}

export function createGuards({ findCaller, onMember }: GuardsOptions): Guards {
  const anybody = async (request: FastifyRequest) => {
    const token = readBearer(request)
    return token ? findCaller(token) : undefined
  }
  const member = async (request: FastifyRequest) => {
    const caller = await anybody(request)
    if (!caller) throw unauthorized()
    await onMember?.(caller.id, request)
    return caller
  }
  const memberWho = (may: (caller: Caller) => boolean, refusal: (caller: Caller) => AppError) => {
    return async (request: FastifyRequest) => {
      const caller = await member(request)
      if (!may(caller)) throw refusal(caller)
      return caller
    }
  }
  return {
    anybody,
    member,
    notMuted: memberWho((caller) => !caller.isMuted, muted),
    moderator: memberWho((caller) => caller.isModerator || caller.isAdmin, forbidden),
    admin: memberWho((caller) => caller.isAdmin, forbidden),
  }
}
