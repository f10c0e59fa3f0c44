import type { Site } from '#contract/site.ts'
import type { BoundedPool } from '#server/db/pool.ts'
import { createReadinessCheck } from '#server/db/readiness.ts'
import { CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import { serve, publicAccess } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { element, textElement, XML_DECLARATION } from '#server/http/xml.ts'
import { type DescribedLimit, describeApi, describeV1 } from './openapi.ts'
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

/** Pages that show everyone something else, or nothing. */
const PRIVATE_PATHS = [
  '/admin',
  '/moderation',
  '/appeals',
  '/upload',
  '/dashboard',
  '/favorites',
  '/following',
  '/profile/me',
  '/profile/settings',
]

/** Rules for crawlers, and the sitemap. The longest path that matches a URL decides (RFC 9309). */
function robotsTxt(publicUrl: string): string {
  const rules = [
    ...[
      '/api/',
      '/email/',
      '/raw/',
      ...PRIVATE_PATHS.map((path) => `${path}$`),
      '/admin/',
      '/moderation/',
      '/scripts/*/edit$',
    ].map((path) => `Disallow: ${path}`),
    'Allow: /api/docs',
    'Allow: /api/oembed',
    'Allow: /',
  ]
  return ['User-agent: *', ...rules, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

/** Lengths of names in OpenSearch 1.1. */
const MAX_SHORT_NAME = 16

/** The OpenSearch description, with which browsers add the site to their search engines. */
function describeSearch({ name, public_url }: Site): string {
  const search = { type: 'text/html', template: `${public_url}/?search={searchTerms}&sort=relevance` }
  const suggestions = {
    type: 'application/x-suggestions+json',
    template: `${public_url}/api/opensearch-suggestions?q={searchTerms}`,
  }
  const self = { type: 'application/opensearchdescription+xml', rel: 'self', template: `${public_url}/opensearch.xml` }
  const parts = [
    textElement('ShortName', Array.from(name).slice(0, MAX_SHORT_NAME).join('').trim()),
    textElement('Description', `Search Luau scripts on ${name}`),
    textElement('InputEncoding', 'UTF-8'),
    textElement('Image', `${public_url}/favicon.png`, { width: 48, height: 48, type: 'image/png' }),
    ...[search, suggestions, self].map((url) => element('Url', url)),
  ]
  const content = `\n${parts.join('\n')}\n`
  return `${XML_DECLARATION}${element('OpenSearchDescription', { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' }, content)}\n`
}

/** Call it before the other features: it collects their operations for the API reference. */
export function registerSite(app: App, { pool, site, inviteUrl, securityContact, limits }: SiteOptions): void {
  const access = new Map<string, string>()
  app.addHook('onRoute', ({ config }) => {
    if (config?.operation) access.set(config.operation.name, config.operation.access)
  })
  serve(app, 'GET /api/site', publicAccess, () => site)

  for (const [url, describe] of [
    ['/api/openapi.json', describeApi],
    ['/api/v1/openapi.json', describeV1],
  ] as const) {
    let description: string | undefined
    app.get(url, (_request, reply) => {
      description ??= JSON.stringify(describe({ site, access, limits }))
      return reply.type('application/json; charset=utf-8').header('cache-control', 'public, no-cache').send(description)
    })
  }

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  const checkReadiness = createReadinessCheck(pool)
  app.get('/readyz', async (_request, reply) => {
    const isReady = await checkReadiness()
    reply.header('cache-control', 'no-store')
    if (!isReady) reply.header('retry-after', 2)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'database unavailable' })
  })

  const openSearch = new CachedResponse(describeSearch(site), 'application/opensearchdescription+xml; charset=utf-8')
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsTxt(site.public_url)))
  app.get('/opensearch.xml', (request, reply) =>
    sendCachedResponse(request, reply.header('cache-control', 'public, max-age=86400'), openSearch),
  )
  if (securityContact) {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(securityTxt(securityContact, site.public_url)),
    )
  }
  if (inviteUrl) app.get('/discord', (_request, reply) => reply.redirect(inviteUrl, 302))
}
