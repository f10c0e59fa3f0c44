import type { FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed } from '#server/platform/http/allowed-methods.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import type { FastPath, Visitor } from '#server/platform/http/fast-path.ts'
import { sendInProcess } from '#server/platform/http/in-process.ts'
import { isUnavailable } from '#server/platform/http/response-cache.ts'
import type { App } from '#server/platform/http/app.ts'
import { PageCache, type Send } from './page-cache.ts'
import type { Renderer } from './renderer.ts'

const HTML = 'text/html; charset=utf-8'
const CACHEABLE = 'public, no-cache'
const MAX_PARAMETER_LENGTH = 400
const RETRY_AFTER_SECONDS = 2
const BUSY_TEXT = 'The site is busy right now. Please try again in a moment.'
/** Sent if not even an error page can be rendered in time. */
const BUSY_PAGE = `<!DOCTYPE html><html lang="en"><title>${BUSY_TEXT}</title><p>${BUSY_TEXT}</p></html>`
const PAGE_METHODS = ['GET', 'HEAD']
const TOKEN_PARAMETER = 'token'
/** Keeps the login token out of the requests that the page makes, and out of caches. */
const TOKEN_HEADERS = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }

export interface PagesOptions {
  renderer: Renderer
  contentSecurityPolicy: string
  publicUrl: string
  isPage: (url: string) => boolean
  isCached: boolean
  version: () => number
  onPage: (path: string, visitor: Visitor) => void
  fastPath: FastPath
}

/** Registers all paths without a route of their own as pages, served from the page cache where possible. */
export function registerPages(app: App, options: PagesOptions): void {
  const { renderer, publicUrl, isPage, isCached, version, onPage, fastPath } = options
  const headers = {
    'content-security-policy': options.contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
  const send = sendInProcess(app)
  const pages = new PageCache({ send, render, version })
  const normalize = (url: string) => normalizeUrl(url, renderer.parameters)

  async function render(url: string, sendRequest: Send): Promise<CachedResponse> {
    const page = await renderer.render(`${publicUrl}${url}`, sendRequest)
    if (page.failure !== undefined) app.log.error({ err: page.failure, url }, 'page rendering failed')
    if (page.location !== undefined) return new Redirect(page.location, page.status)
    return new CachedResponse(page.html ?? '', HTML, page.status)
  }

  async function sendPage(url: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = isCached ? await pages.get(url).catch(toBusyPage) : await render(url, send)
    if (page.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    reply.headers(headers).header('cache-control', page.status < 400 ? CACHEABLE : 'no-store')
    if (hasToken(request.url)) reply.headers(TOKEN_HEADERS)
    if (page instanceof Redirect) return reply.redirect(page.location, page.status)
    if (page.status === 200 && request.method === 'GET') onPage(pathOf(url), request)
    return sendCachedResponse(request, reply, page)
  }

  fastPath.add(undefined, {
    headers: { ...headers, 'cache-control': CACHEABLE },
    find: (url) => {
      if (url.startsWith('/api/') || url.includes('%') || hasToken(url) || !isPage(url)) return undefined
      const load = pages.find(normalize(url))
      return load && (() => requireSuccess(load()))
    },
    onServed: (url, visitor) => onPage(pathOf(url), visitor),
  })
  app.get('/api/docs', (request, reply) => sendPage('/api/docs', request, reply))
  app.get('/*', (request, reply) => {
    if (request.url.startsWith('/api/')) throw app.explainNoRoute(request)
    return sendPage(normalize(request.url), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const { url, method } = request
    if (url.startsWith('/api/') || !(method === 'GET' || isPage(url))) throw app.explainNoRoute(request)
    if (method !== 'GET') throw methodNotAllowed(PAGE_METHODS)
    return sendPage('/not-found', request, reply)
  })
}

function toBusyPage(error: Error): CachedResponse {
  if (isUnavailable(error)) return new CachedResponse(BUSY_PAGE, HTML, 503)
  throw error
}

class Redirect extends CachedResponse {
  readonly location: string

  constructor(location: string, status: number) {
    super('', HTML, status)
    this.location = location
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? url

/** Rejects if the page no longer exists, so that the request falls through to the app, which sends the right error. */
function requireSuccess(page: CachedResponse | Promise<CachedResponse>): CachedResponse | Promise<CachedResponse> {
  if (page instanceof CachedResponse) return page
  return page.then((response) => {
    if (response.status === 200) return response
    throw new Error('The page is gone.')
  })
}

function hasToken(url: string): boolean {
  const queryStart = url.indexOf('?')
  return queryStart >= 0 && new URLSearchParams(url.slice(queryStart + 1)).has(TOKEN_PARAMETER)
}

/** A URL with these query parameters only, each once and in their order. */
export function normalizeUrl(url: string, parameters: readonly string[]): string {
  const queryStart = url.indexOf('?')
  if (queryStart < 0) return url
  const input = new URLSearchParams(url.slice(queryStart + 1))
  const normalized = new URLSearchParams()
  for (const name of parameters) {
    const value = input.get(name)
    if (value) normalized.set(name, value.slice(0, MAX_PARAMETER_LENGTH))
  }
  const path = url.slice(0, queryStart)
  return normalized.size > 0 ? `${path}?${normalized}` : path
}
