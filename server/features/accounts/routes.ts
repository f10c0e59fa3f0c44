import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { readBearer } from '#server/platform/authorization/guards.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { AppError, notFound, unauthorized } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { deleteUnlistedGrants } from './admin-grants.ts'
import type { BrowserCookie } from './browser-cookie.ts'
import { findCurrentUser } from './current-user.ts'
import { describeDevice } from './device.ts'
import { Discord } from './discord.ts'
import type { PersonKey } from './person-key.ts'
import { endAllSessions, endOwnSession, listSessions } from './session-list.ts'
import { endSession, redeemLoginToken } from './sessions.ts'
import { failurePath, findSignInBan, handleCallback, type SignInOptions, startSignIn } from './sign-in.ts'

export interface AccountsOptions {
  db: Database
  securityLog: SecurityLog
  config: Pick<Config, 'publicUrl' | 'secretKey' | 'adminDiscordIds' | 'discord'>
  findApplication: () => { clientId: string; clientSecret: string } | undefined
  personKey: PersonKey
  cookie: BrowserCookie
  onRenamed?: SignInOptions['onRenamed']
  onSignIn: (trx: Transaction, memberId: number, request: FastifyRequest) => Promise<void>
}

export function registerAccounts(
  app: App,
  { db, config, personKey, cookie, securityLog, findApplication, onRenamed, onSignIn }: AccountsOptions,
): void {
  const { publicUrl, secretKey, adminDiscordIds } = config
  const { apiUrl } = config.discord
  const findSignIn = (): SignInOptions | undefined => {
    const application = findApplication()
    if (!application) return undefined
    const discord = new Discord({ ...application, apiUrl, publicUrl })
    return { db, secretKey, personKey, adminDiscordIds, securityLog, onRenamed, discord }
  }

  app.addHook('onReady', () => deleteUnlistedGrants(db, adminDiscordIds))

  serve(app, 'GET /api/discord-auth', async ({ request, reply }) => {
    const signIn = findSignIn()
    if (!signIn) throw new AppError('sign_in_unavailable', 503, 'Signing in is not available on this site yet.')
    return { authUrl: await startSignIn(signIn, cookie.ensure(request, reply)) }
  })

  // For browsers only, so not an operation of the contract. A HEAD request must not spend the code.
  app.get('/api/discord-callback', { exposeHeadRoute: false, config: { limit: 'sign_in' } }, async (request, reply) => {
    const signIn = findSignIn()
    const target = signIn
      ? await handleCallback(signIn, cookie.read(request), request)
      : failurePath('sign_in_unavailable')
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 302)
  })

  serve(app, 'GET /api/sign-in-ban', async ({ request }) => {
    const browser = cookie.read(request)
    const ban = browser && (await findSignInBan(db, browser))
    if (!ban) throw notFound('A recent ban in this browser')
    return ban
  })

  serve(app, 'GET /api/user-profile', async ({ caller, request, reply }) => {
    // A login token is exchanged again while its first response may have been lost.
    const redeemed = caller && !caller.isLoginToken ? undefined : await redeem(request, reply)
    const memberId = redeemed ?? caller?.id
    const user = memberId && (await findCurrentUser(db, memberId))
    if (!user) throw unauthorized()
    return user
  })

  async function redeem(request: FastifyRequest, reply: FastifyReply): Promise<number | undefined> {
    const [token, browser] = [readBearer(request), cookie.read(request)]
    const redeemed =
      token && browser
        ? await redeemLoginToken(db, token, browser, describeDevice(request.headers['user-agent']), (trx, memberId) =>
            onSignIn(trx, memberId, request),
          )
        : undefined
    if (!redeemed) return undefined
    const { memberId, sessionToken, isFirst } = redeemed
    if (isFirst) securityLog.record(request, 'sign_in', { member_id: memberId })
    reply.header('session-token', sessionToken)
    cookie.ensure(request, reply)
    return memberId
  }

  serve(app, 'DELETE /api/session', async ({ request }) => {
    const token = readBearer(request)
    if (token) await endSession(db, token, cookie.read(request))
    securityLog.record(request, 'sign_out')
    return { message: 'You are signed out.' }
  })

  serve(app, 'GET /api/sessions', async ({ caller, request }) => {
    return { sessions: await listSessions(db, caller.id, readBearer(request) ?? '') }
  })

  serve(app, 'DELETE /api/sessions', async ({ caller, query, request }) => {
    const { id, all } = query
    if ((id === undefined) === (all === undefined)) {
      throw new AppError('invalid', 400, 'Choose the session to sign out of, or sign out everywhere.')
    }
    if (id) await endOwnSession(db, caller.id, id)
    else await endAllSessions(db, caller.id)
    securityLog.record(request, id ? 'sign_out' : 'sign_out_everywhere')
    return { message: id ? 'This session is signed out.' : 'You are signed out everywhere.' }
  })
}
