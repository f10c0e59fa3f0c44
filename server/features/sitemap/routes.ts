import { sendCachedResponse } from '#server/platform/http/cached-response.ts'
import { notFound } from '#server/platform/http/errors.ts'
import type { FastPath } from '#server/platform/http/fast-path.ts'
import type { App } from '#server/platform/http/app.ts'
import { Sitemap, type SitemapOptions } from './sitemap.ts'

const HEADERS = { 'cache-control': 'public, no-cache' }
const INDEX = '/sitemap.xml'
const PREFIX = '/sitemap/'
const EXTENSION = '.xml.gz'

export function registerSitemap(app: App, fastPath: FastPath, options: SitemapOptions): void {
  const sitemap = new Sitemap(options)
  app.get(INDEX, async (request, reply) => {
    const response = await sitemap.get('index')
    if (!response) throw notFound('This sitemap')
    return sendCachedResponse(request, reply.headers(HEADERS), response)
  })
  app.get<{ Params: { name: string } }>(`${PREFIX}:name${EXTENSION}`, async (request, reply) => {
    const { name } = request.params
    const response = name === 'index' ? undefined : await sitemap.get(name)
    if (!response) throw notFound('This sitemap')
    return sendCachedResponse(request, reply.headers(HEADERS), response)
  })
  const find = (name: string) => {
    const response = sitemap.getNow(name)
    return response && (() => response)
  }
  fastPath.add(INDEX, { headers: HEADERS, find: (url) => (url === INDEX ? find('index') : undefined) })
  fastPath.addPrefix(PREFIX, {
    headers: HEADERS,
    find: (url) => (url.endsWith(EXTENSION) ? find(url.slice(PREFIX.length, -EXTENSION.length)) : undefined),
  })
}
