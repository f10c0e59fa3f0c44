// Keeps the last pages that a visitor read, with their files, for when there is no connection. Everything else, and every page
// as long as the site can be reached, comes from the site.

interface ExtendableEvent extends Event {
  waitUntil: (promise: Promise<unknown>) => void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith: (response: Promise<Response>) => void
}
interface VisitEvent extends ExtendableEvent {
  /** The path and query of a page that the visitor opened without a page load. */
  data: string
}
interface Worker {
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  registration: { navigationPreload?: { enable: () => Promise<void> } }
  addEventListener: ((type: 'install' | 'activate', listener: (event: ExtendableEvent) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void) &
    ((type: 'message', listener: (event: VisitEvent) => void) => void)
}
declare const self: Worker

const PAGES = 'pages'
const FILES = 'files'
const MAX_PAGES = 50
const MAX_FILES = 300
const OFFLINE_PAGE = '/offline'
/** A page that was opened without a page load is fetched again if the stored one is older. */
const MAX_AGE_MS = 3_600_000
/** Results of a sign-in, in the URL. */
const SIGN_IN = /[?&](token|new_user|login_error)=/
const ASSET = /\/assets\/[\w.-]+/g

self.addEventListener('install', (event) => {
  event.waitUntil(fetchPage(OFFLINE_PAGE).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  if (mode === 'navigate') event.respondWith(answerPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(answerFile(event.request))
})

self.addEventListener('message', (event) => event.waitUntil(storeVisit(event.data)))

async function answerPage(event: FetchEvent): Promise<Response> {
  const { url } = event.request
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    event.waitUntil(storePage(url, response.clone()))
    return response
  } catch {
    const stored = await caches.match(url, { cacheName: PAGES, ignoreVary: true })
    const { pathname, search } = new URL(url)
    return stored ?? Response.redirect(`${OFFLINE_PAGE}#${pathname}${search}`)
  }
}

async function answerFile(request: Request): Promise<Response> {
  const stored = await caches.match(request, { cacheName: FILES, ignoreVary: true })
  if (stored) return stored
  const response = await fetch(request)
  if (response.ok) await store(FILES, request.url, response.clone(), MAX_FILES)
  return response
}

async function storeVisit(path: string): Promise<void> {
  const stored = await caches.match(path, { cacheName: PAGES, ignoreVary: true })
  const date = Date.parse(stored?.headers.get('date') ?? '')
  if (!(Date.now() - date < MAX_AGE_MS)) await fetchPage(path).catch(() => undefined)
}

const fetchPage = async (path: string) => storePage(new URL(path, location.origin).href, await fetch(path))

/** Stores a page and the files that it names. */
async function storePage(url: string, response: Response): Promise<void> {
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html')
  if (!isPage || response.redirected || SIGN_IN.test(url)) return
  const files = new Set((await response.clone().text()).match(ASSET))
  await Promise.all([...files].map((path) => answerFile(new Request(path)).catch(() => undefined)))
  await store(PAGES, url, response, MAX_PAGES)
}

/** Stores a response as the newest of a cache, without the oldest ones beyond its limit. */
async function store(name: string, url: string, response: Response, max: number): Promise<void> {
  const cache = await caches.open(name)
  await cache.delete(url, { ignoreVary: true })
  await cache.put(url, response)
  const urls = (await cache.keys()).filter((request) => new URL(request.url).pathname !== OFFLINE_PAGE)
  await Promise.all(urls.slice(0, -max).map((request) => cache.delete(request, { ignoreVary: true })))
}
