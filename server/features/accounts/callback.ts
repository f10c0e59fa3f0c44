import type { FastifyRequest } from 'fastify'
import type { LoginError } from '#contract/accounts.ts'
import { LoginFailure } from './login-failure.ts'
import { finishSignIn, type Return, type SignInOptions } from './sign-in.ts'

const MAX_LENGTH = 1000

function readReturn(query: Record<string, unknown>): Return {
  const read = (name: string) => {
    const value = query[name]
    return typeof value === 'string' && value.length <= MAX_LENGTH ? value : ''
  }
  return { state: read('state'), code: read('code'), error: read('error') }
}

/** The start page of this site, and never another address. */
export const failed = (code: LoginError) => `/?login_error=${code}`

/** Where to send a browser that comes back from Discord. Never throws. */
export async function endSignIn(
  options: SignInOptions,
  browser: string | undefined,
  { query, log }: FastifyRequest,
): Promise<string> {
  try {
    const { addressToken, isNew } = await finishSignIn(options, browser, readReturn(query as Record<string, unknown>))
    return `/?token=${addressToken}${isNew ? '&new_user=true' : ''}`
  } catch (error) {
    if (!(error instanceof LoginFailure)) {
      log.error({ err: error }, 'a sign-in failed')
      return failed('failed')
    }
    if (error.code === 'discord_unavailable') log.warn({ reason: error.message }, 'Discord failed a sign-in')
    return failed(error.code)
  }
}
