import type { FastifyReply, FastifyRequest } from 'fastify'
import { CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import { sendInProcess } from '#server/http/in-process.ts'
import type { App } from '#server/http/server.ts'
import type { FastPath, Visitor } from '#server/http/fast-path.ts'
import { normaliseAddress } from './address.ts'
import { PageCache, type Send } from './page-cache.ts'
import type { Renderer } from './renderer.ts'

const HTML = 'text/html; charset=utf-8'

export interface PagesOptions {
  renderer: Renderer
  policy: string
  publicUrl: string
  isCached: boolean
  /** Rises when what pages show has changed. */
  version: () => number
  /** Told of every page that a visitor was given. */
  onPage: (path: string, visitor: Visitor) => void
  fastPath: FastPath
}

const pageHeaders = (policy: string) => ({
  'content-security-policy': policy,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
})
/** Of what may be kept; all else is no-store. */
const CACHEABLE = 'public, no-cache'

const pathOf = (address: string) => address.split('?', 1)[0] ?? address

/** A page, or where to go instead. */
class Redirected extends CachedResponse {
  readonly location: string
  constructor(location: string, status: number) {
    super('', HTML, status)
    this.location = location
  }
}

/** Serves every address that no other route takes as a page, from the cache where it can. */
export function registerPages(app: App, options: PagesOptions): void {
  const { renderer, policy, publicUrl, isCached, version, onPage, fastPath } = options
  const headers = pageHeaders(policy)
  const send = sendInProcess(app)
  const pages = new PageCache({ send, make, version })

  async function make(address: string, ask: Send): Promise<CachedResponse> {
    const page = await renderer.render(`${publicUrl}${address}`, ask)
    if (page.failure !== undefined) app.log.error({ err: page.failure, address }, 'a page could not be made')
    if (page.location !== undefined) return new Redirected(page.location, page.status)
    return new CachedResponse(page.html ?? '', HTML, page.status)
  }

  async function answer(address: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const finished = isCached ? await pages.get(address) : await make(address, send)
    reply.headers(headers).header('cache-control', finished.status < 400 ? CACHEABLE : 'no-store')
    if (finished instanceof Redirected) return reply.redirect(finished.location, finished.status)
    if (finished.status === 200 && request.method === 'GET') onPage(pathOf(address), request)
    return sendCachedResponse(request, reply, finished)
  }

  // Of pages only those go the short way that are here already.
  fastPath.add(undefined, {
    headers: { ...headers, 'cache-control': CACHEABLE },
    find: (url) => {
      if (url.startsWith('/api/') || url.includes('%')) return undefined
      const find = pages.find(normaliseAddress(url))
      return find && (() => whileThere(find()))
    },
    onServed: (url, visitor) => onPage(pathOf(url), visitor),
  })
  app.get('/api/docs', (request, reply) => answer('/api/docs', request, reply))
  app.get('/*', (request, reply) =>
    request.url.startsWith('/api/') ? sendNotFound(reply) : answer(normaliseAddress(request.url), request, reply),
  )
  app.setNotFoundHandler((request, reply) => answerNotFound(request, reply, () => answer('/not-found', request, reply)))
}

/** Rejects when the page is gone meanwhile: how to say that, the long way knows. */
function whileThere(page: CachedResponse | Promise<CachedResponse>): CachedResponse | Promise<CachedResponse> {
  if (page instanceof CachedResponse) return page
  return page.then((finished) => {
    if (finished.status === 200) return finished
    throw new Error('This page is gone.')
  })
}

/** What has no route: a program gets JSON, a person the page for it. */
function answerNotFound(request: FastifyRequest, reply: FastifyReply, page: () => Promise<FastifyReply>) {
  return request.method === 'GET' && !request.url.startsWith('/api/') ? page() : sendNotFound(reply)
}

export function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: 'There is nothing at this address.', code: 'not_found' })
}
