import type { Site } from '#contract/site.ts'
import type { BoundedPool } from '#server/db/pool.ts'
import { createReadinessCheck } from '#server/db/readiness.ts'
import { serve, publicAccess } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { type DescribedLimit, describeApi } from './openapi.ts'
import { securityTxt } from './security-txt.ts'

export interface SiteOptions {
  pool: BoundedPool
  site: Site
  inviteUrl: string | undefined
  /** Where to report vulnerabilities, as a URL. */
  securityContact: string | undefined
  /** For the API reference. */
  limits: readonly DescribedLimit[]
}

/** Call it before the other features: it collects their operations for the API reference. */
export function registerSite(app: App, { pool, site, inviteUrl, securityContact, limits }: SiteOptions): void {
  const access = new Map<string, string>()
  app.addHook('onRoute', ({ config }) => {
    if (config?.operation) access.set(config.operation.name, config.operation.access)
  })
  serve(app, 'GET /api/site', publicAccess, () => site)

  let description: string | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    description ??= JSON.stringify(describeApi({ site, access, limits }))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, no-cache').send(description)
  })

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  const checkReadiness = createReadinessCheck(pool)
  app.get('/readyz', async (_request, reply) => {
    const isReady = await checkReadiness()
    reply.header('cache-control', 'no-store')
    if (!isReady) reply.header('retry-after', 2)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'database unavailable' })
  })

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /api/\nDisallow: /raw/\nAllow: /api/docs\nAllow: /\n`),
  )
  if (securityContact) {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(securityTxt(securityContact, site.public_url)),
    )
  }
  if (inviteUrl) app.get('/discord', (_request, reply) => reply.redirect(inviteUrl, 302))
}
