import type { Site } from '#contract/site.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { BoundedPool } from '#server/platform/db/pool.ts'
import { createReadinessCheck } from '#server/platform/db/readiness.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { element, textElement, XML_DECLARATION } from '#server/platform/http/xml.ts'
import type { Branding } from './branding.ts'
import { changeBranding, getBranding } from './change-branding.ts'
import { ICON_SIZES, Icons } from './logo.ts'
import { type DescribedLimit, describeApi, describeV1 } from './openapi.ts'

export interface SiteOptions {
  db: Database
  pool: BoundedPool
  branding: Branding
  config: Pick<Config, 'siteName' | 'publicUrl' | 'discord' | 'securityContact'>
  /** Draws the image of link previews as a PNG; injected, because the drawing is in a higher layer. */
  drawPreview: (site: Site, logo: Buffer | null) => Promise<Buffer>
  limits: readonly DescribedLimit[]
}

/** Pages that depend on the viewer or need a sign-in. */
const PRIVATE_PATHS = [
  '/admin',
  '/setup',
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
      '/scripts/*/new-version$',
    ].map((path) => `Disallow: ${path}`),
    'Allow: /api/docs',
    'Allow: /api/oembed',
    'Allow: /',
  ]
  return ['User-agent: *', ...rules, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

/** Lengths of names in OpenSearch 1.1. */
const MAX_SHORT_NAME = 16

const tabIconOf = ({ look }: Pick<Site, 'look'>): string => (look.icons ? `${look.icons}48.png` : '/favicon.png')

/** The OpenSearch description, with which browsers add the site to their search engines. */
function describeSearch({ name, public_url, look }: Site): string {
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
    textElement('Image', `${public_url}${tabIconOf({ look })}`, {
      width: 48,
      height: 48,
      type: 'image/png',
    }),
    ...[search, suggestions, self].map((url) => element('Url', url)),
  ]
  const content = `\n${parts.join('\n')}\n`
  return `${XML_DECLARATION}${element('OpenSearchDescription', { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' }, content)}\n`
}

/** The web app manifest, with which phones add the site to their home screen. */
function describeApp({ name, look }: Site): string {
  const icons = [192, 512].map((size) => ({
    src: `${look.icons ?? '/icon-'}${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  }))
  const colors = { background_color: '#0d0c12', theme_color: look.theme_color }
  return `${JSON.stringify({ name, short_name: name, start_url: '/', display: 'minimal-ui', ...colors, icons }, null, 2)}\n`
}

export const isChatPath = (url: string): boolean => /^\/discord(?:\?|$)/.test(url)

const DAY = 'public, max-age=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'

export function registerSite(app: App, options: SiteOptions): void {
  const { db, pool, branding, config, limits } = options
  const { publicUrl, securityContact } = config
  // Not a route: without a chat, the URL belongs to the page that says so.
  app.addHook('onRequest', async ({ url }, reply) => {
    if (branding.chatUrl !== undefined && isChatPath(url)) return reply.redirect(branding.chatUrl, 302)
  })
  serve(app, 'GET /api/site', () => branding.site)
  serve(app, 'GET /api/site-text', ({ query }) => ({ text: branding.textOf(query.name) }))
  const changing = { db, branding, config }
  serve(app, 'GET /api/branding', () => getBranding(changing))
  serve(app, 'PUT /api/branding', ({ body, caller }) => changeBranding(changing, caller.id, body))

  // For programs that do not read the page's links.
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', DAY).redirect(tabIconOf(branding.site), 302),
  )

  /** Serves a document about the site, which is created again when the branding has changed. */
  const serveDescription = (
    url: string,
    contentType: string,
    cacheControl: string,
    describe: (site: Site) => string,
  ) => {
    let last: { site: Site; response: CachedResponse } | undefined
    app.get(url, (request, reply) => {
      const { site } = branding
      if (last?.site !== site) last = { site, response: new CachedResponse(describe(site), contentType) }
      return sendCachedResponse(request, reply.header('cache-control', cacheControl), last.response)
    })
  }
  for (const [url, describe] of [
    ['/api/openapi.json', describeApi],
    ['/api/v1/openapi.json', describeV1],
  ] as const) {
    serveDescription(url, 'application/json; charset=utf-8', 'public, no-cache', (site) =>
      JSON.stringify(describe({ site, limits })),
    )
  }
  serveDescription('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', DAY, describeSearch)
  serveDescription('/site.webmanifest', 'application/manifest+json', 'public, no-cache', describeApp)
  serveBrandingFiles(app, options)

  app.get('/healthz', { config: { limit: 'none' } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  const checkReadiness = createReadinessCheck(pool)
  app.get('/readyz', { config: { limit: 'none' } }, async (_request, reply) => {
    const isReady = await checkReadiness()
    reply.header('cache-control', 'no-store')
    if (!isReady) reply.header('retry-after', 2)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'database unavailable' })
  })

  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsTxt(publicUrl)))
  if (securityContact) {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(securityTxt(securityContact, publicUrl)),
    )
  }
}

const MONTHS_VALID = 6

/** The content of /.well-known/security.txt (RFC 9116). `contact` is a mailto:, https: or tel: URL. */
function securityTxt(contact: string, publicUrl: string, now = new Date()): string {
  const expires = new Date(now)
  expires.setUTCMonth(expires.getUTCMonth() + MONTHS_VALID)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace(/\.\d+Z$/, 'Z')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
}

const BRANDING_FILE = /^(?:colors-[0-9a-f]{12}\.css|preview-[0-9a-f]{12}\.png|icon-[0-9a-f]{12}-(\d{2,3})\.png)$/

/** Names contain a hash. A page from before a change gets the current file for a former name, which is then not cached. */
function serveBrandingFiles(app: App, { branding, drawPreview }: SiteOptions): void {
  const icons = new Icons()
  let preview: { path: string; image: Promise<Buffer> } | undefined
  const findPreview = () => {
    const { site, logo } = branding
    const path = site.look.preview_image
    if (preview?.path !== path) preview = { path, image: drawPreview(site, logo) }
    return preview.image
  }
  const load = async (kind: string, size: number): Promise<[type: string, body: string | Buffer] | undefined> => {
    if (kind === 'colors') return ['text/css; charset=utf-8', branding.stylesheet ?? '']
    if (kind === 'preview') return ['image/png', await findPreview()]
    const { logo, site } = branding
    const isKnown = ICON_SIZES.some((known) => known === size)
    const icon = logo && isKnown ? await icons.get(logo, site.look.icons ?? '', size) : undefined
    return icon && ['image/png', icon]
  }
  app.get<{ Params: { file: string } }>('/branding/:file', async (request, reply) => {
    const { file } = request.params
    const [, size] = BRANDING_FILE.exec(file) ?? []
    const asset = BRANDING_FILE.test(file) ? await load(file.split('-', 1)[0] ?? '', Number(size)) : undefined
    if (!asset) return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('No such file.\n')
    const { look } = branding.site
    const path = `/branding/${file}`
    const isCurrent =
      path === look.stylesheet || path === look.preview_image || (look.icons && path.startsWith(look.icons))
    const [type, body] = asset
    return reply
      .type(type)
      .header('cache-control', isCurrent ? IMMUTABLE : 'no-store')
      .send(body)
  })
}
