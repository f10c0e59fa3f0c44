import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/operation.ts'
import { INCLUDED_SCOPES, type TokenScope } from '#contract/limits.ts'
import type { ApiToken } from '#contract/tokens.ts'
import type { Provenance } from '#contract/versions.ts'
import { AppError, forbidden, unauthorized } from '#server/platform/http/errors.ts'
import { formatTime } from '#server/platform/http/text.ts'

/** How a version was published, with the API token that did. */
export interface Publisher {
  provenance: Provenance
  tokenId?: string
}

export interface Caller {
  id: number
  /** Limits count for the person, who outlives the account. */
  personId: number
  username: string
  slug: string
  isAdmin: boolean
  isModerator: boolean
  isMuted: boolean
  /** Null for a mute without an end, and without a mute. */
  mutedUntil: Date | null
  hasRecentSignIn: boolean
  /** Whether an API token acts for the member. It never has the member's roles. */
  isToken?: true
  /** How the API token publishes. Members in the browser have none. */
  publisher?: Publisher
  /** Whether the request has the login token of the session, from the URL of the sign-in. */
  isLoginToken?: true
}

export interface TokenUse {
  caller: Caller
  token: Omit<ApiToken, 'scripts'>
  /** The only scripts that it may change; undefined for all of its member. */
  scriptIds?: readonly number[]
}

declare module 'fastify' {
  interface FastifyInstance {
    guards: Guards
  }
  interface FastifyRequest {
    /** Set before the guards run. A request with an invalid token does not get that far. */
    apiToken?: TokenUse
  }
}

/** The caller of an operation, by its access. */
export type CallerOf<A extends Access> = A extends 'public'
  ? undefined
  : A extends 'optionalMember' | 'memberIfKnown'
    ? Caller | undefined
    : Caller

/**
 * Decide who may call an operation, and throw AppError for everybody else. They read the session from the database. API
 * tokens pass only where they have the operation's scope; elsewhere they count as visitors or are rejected.
 */
export type Guards = { [A in Access]: (request: FastifyRequest) => CallerOf<A> | Promise<CallerOf<A>> }

export const isStaff = ({ isAdmin, isModerator }: Pick<Caller, 'isAdmin' | 'isModerator'>): boolean =>
  isAdmin || isModerator

const BEARER = /^Bearer ([\w-]{43})$/i

export function readBearer({ headers }: FastifyRequest): string | undefined {
  const { authorization } = headers
  return authorization && authorization.length < 100 ? BEARER.exec(authorization)?.[1] : undefined
}

export function muted({ mutedUntil }: Pick<Caller, 'mutedUntil'>): AppError {
  const end = mutedUntil ? `until ${formatTime(mutedUntil)}` : 'permanently'
  return new AppError('muted', 403, `You are muted ${end}. You can browse but not post.`)
}

const tokenNotAllowed = () =>
  new AppError('token_not_allowed', 403, 'API tokens cannot be used for this. Sign in on the site to do it.')

const insufficientScope = (scope: string) =>
  new AppError('insufficient_scope', 403, `This API token lacks the scope ${scope}. Create a token that has it.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })

const hasScope = ({ scopes }: Pick<ApiToken, 'scopes'>, scope: TokenScope): boolean =>
  scopes.some((each) => each === scope || INCLUDED_SCOPES[each]?.includes(scope))

function findTokenError({ routeOptions }: FastifyRequest, { token }: TokenUse): AppError | undefined {
  const scope = routeOptions.config.operation?.scope
  if (!scope) return tokenNotAllowed()
  return scope === 'any' || hasScope(token, scope) ? undefined : insufficientScope(scope)
}

const reauthenticationRequired = () =>
  new AppError('reauthentication_required', 403, 'For your security, sign in with Discord again to continue.')

export interface GuardsOptions {
  findCaller: (token: string, request: FastifyRequest) => Promise<Caller | undefined>
  /** Called for each request of a member; may throw. */
  onMember?: ((caller: Caller, request: FastifyRequest) => Promise<void>) | undefined
}

export function createGuards({ findCaller, onMember }: GuardsOptions): Guards {
  const optionalMember = async (request: FastifyRequest) => {
    const { apiToken } = request
    if (apiToken) return findTokenError(request, apiToken) ? undefined : apiToken.caller
    const token = readBearer(request)
    return token ? findCaller(token, request) : undefined
  }
  const member = async (request: FastifyRequest) => {
    const caller = await optionalMember(request)
    if (!caller) throw (request.apiToken && findTokenError(request, request.apiToken)) ?? unauthorized()
    await onMember?.(caller, request)
    return caller
  }
  const memberIf =
    (isAllowed: (caller: Caller) => boolean, toError: (caller: Caller) => AppError) =>
    async (request: FastifyRequest) => {
      const caller = await member(request)
      if (!isAllowed(caller)) throw toError(caller)
      return caller
    }
  return {
    public: () => undefined,
    optionalMember,
    memberIfKnown: (request) => optionalMember(request).catch(() => undefined),
    member,
    recentlySignedIn: memberIf(({ hasRecentSignIn }) => hasRecentSignIn, reauthenticationRequired),
    notMuted: memberIf((caller) => !caller.isMuted, muted),
    moderator: memberIf(isStaff, forbidden),
    admin: memberIf((caller) => caller.isAdmin, forbidden),
  }
}
