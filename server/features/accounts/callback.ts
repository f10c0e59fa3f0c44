import type { FastifyRequest } from 'fastify'
import type { LoginError } from '#contract/accounts.ts'
import { SignInError } from './login-failure.ts'
import { completeSignIn, type CallbackParams, type SignInOptions } from './sign-in.ts'

const MAX_LENGTH = 1000

function readParams(query: Record<string, unknown>): CallbackParams {
  const read = (name: string) => {
    const value = query[name]
    return typeof value === 'string' && value.length <= MAX_LENGTH ? value : ''
  }
  return { state: read('state'), code: read('code'), error: read('error') }
}

/** The start page of this site, and never another address. */
export const failurePath = (code: LoginError) => `/?login_error=${code}`

/** Where to send a browser that comes back from Discord. Never throws. */
export async function handleCallback(
  options: SignInOptions,
  browser: string | undefined,
  { query, log }: FastifyRequest,
): Promise<string> {
  try {
    const { loginToken, isNew } = await completeSignIn(options, browser, readParams(query as Record<string, unknown>))
    return `/?token=${loginToken}${isNew ? '&new_user=true' : ''}`
  } catch (error) {
    if (!(error instanceof SignInError)) {
      log.error({ err: error }, 'a sign-in failed')
      return failurePath('failed')
    }
    if (error.code === 'discord_unavailable') log.warn({ reason: error.message }, 'Discord failed a sign-in')
    return failurePath(error.code)
  }
}
