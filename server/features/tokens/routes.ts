import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { readApiToken } from './secret.ts'
import { createToken, findTokenScripts, listTokens, revokeToken, type Tokens } from './tokens.ts'

interface AuthenticationOptions {
  tokens: Tokens
  securityLog: SecurityLog
  /** Called for each request with an API token; may throw. */
  onToken: ((tokenId: string, request: FastifyRequest) => Promise<void>) | undefined
}

/**
 * Authenticates API tokens before the guards run. A request of the API with an invalid one is rejected, even where
 * visitors are admitted, so that programs notice. Pages ignore tokens.
 */
export function authenticateTokens(app: App, { tokens, securityLog, onToken }: AuthenticationOptions): void {
  app.decorateRequest('apiToken')
  app.addHook('onRequest', async (request) => {
    const token = request.url.startsWith('/api/') ? readApiToken(request.headers.authorization) : undefined
    if (!token) return
    request.apiToken = await tokens.authenticate(token)
    securityLog.identify(request, request.apiToken.caller.id)
    await onToken?.(request.apiToken.token.id, request)
  })
}

interface TokenRoutesOptions {
  db: Database
  securityLog: SecurityLog
}

const tokenRequired = () => new AppError('token_required', 400, 'Send this request with an API token.')

export function registerTokens(app: App, { db, securityLog }: TokenRoutesOptions): void {
  serve(app, 'GET /api/tokens', async ({ caller }) => {
    return { tokens: await listTokens(db, caller.id) }
  })

  serve(app, 'POST /api/tokens', async ({ body, caller, request, reply }) => {
    const created = await createToken(db, caller.id, body)
    securityLog.record(request, 'api_token_created')
    reply.code(201)
    return created
  })

  serve(app, 'DELETE /api/tokens', async ({ query, caller, request }) => {
    await revokeToken(db, caller.id, query.id)
    securityLog.record(request, 'api_token_revoked')
    return { message: 'This API token is revoked.' }
  })

  serve(app, 'GET /api/token', async ({ request }) => {
    const { apiToken } = request
    if (!apiToken) throw tokenRequired()
    const { id, username, slug } = apiToken.caller
    const scripts = await findTokenScripts(db, apiToken)
    return { token: { ...apiToken.token, scripts }, member: { id, username, slug } }
  })
}
