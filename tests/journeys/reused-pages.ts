import type { Browser, Page } from '@playwright/test'

/** A page of the site without scripts, images and styles, from which the site's storage can be changed. */
const BARE_PAGE = '/robots.txt'

/** Not `indexeddb`: after it is cleared this way, images that are stored there cannot be read again. */
const STORAGE_TYPES = 'cookies,local_storage,cache_storage,service_workers'

/** Calls whose effect on a page or its context cannot be undone. */
const LASTING_CALLS = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders'],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
  context: ['addInitScript', 'clearPermissions', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'setOffline'],
}

/** Events that tests listen to. Playwright itself listens to others, such as `close`. */
const EVENTS = ['console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup', 'request', 'response'] as const
const CONTEXT_EVENTS = ['console', 'dialog', 'page', 'request', 'response', 'weberror'] as const

/** Media features that the browser's flags in playwright.config.ts set: a dark page without transitions. */
const UNCHANGED = { reducedMotion: null, forcedColors: null, contrast: null } as const

/** Options of a test that its context must have. */
export interface PageOptions {
  viewport: { width: number; height: number } | null
  colorScheme: 'light' | 'dark' | 'no-preference' | null
  hasTouch: boolean
  javaScriptEnabled: boolean
}

/**
 * The pages of a worker, which its tests use one after the other. A page that has loaded the site before loads it in half of
 * the CPU time, from its caches. A released page has no cookies, storage, listeners, routes and history.
 */
export class ReusedPages {
  readonly #browser: Browser
  readonly #free = new Map<string, Page[]>()
  /** Pages that a test has changed permanently. */
  readonly #changed = new Set<Page>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** A page on the site's bare page, in a context that no other page shares. */
  async borrow(options: PageOptions): Promise<Page> {
    const page = this.#free.get(keyOf(options))?.pop()
    if (page) {
      if (options.viewport) await page.setViewportSize(options.viewport)
      await page.emulateMedia({ ...UNCHANGED, media: null, colorScheme: options.colorScheme })
      return page
    }
    // A service worker would answer requests before the routes of a journey. See offline.spec.ts.
    const context = await this.#browser.newContext({ ...options, ...UNCHANGED, serviceWorkers: 'block' })
    const created = await context.newPage()
    const mark = () => this.#changed.add(created)
    onCall(created, LASTING_CALLS.page, mark)
    onCall(created.clock, LASTING_CALLS.clock, mark)
    onCall(context, LASTING_CALLS.context, mark)
    await created.goto(BARE_PAGE)
    return created
  }

  /** Resets a page for the next test, or closes its context. */
  async release(page: Page, options: PageOptions, isReusable: boolean): Promise<void> {
    const context = page.context()
    if (!isReusable || page.isClosed() || this.#changed.delete(page)) return context.close()
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const event of EVENTS) page.removeAllListeners(event)
    for (const event of CONTEXT_EVENTS) context.removeAllListeners(event)
    for (const target of [page, context]) await target.unrouteAll({ behavior: 'ignoreErrors' })
    await leaveSite(page)
    await page.mouse.move(0, 0)
    const key = keyOf(options)
    this.#free.set(key, [...(this.#free.get(key) ?? []), page])
  }
}

/** Pages with the same key differ only in what can be changed. */
const keyOf = ({ viewport, hasTouch, javaScriptEnabled }: PageOptions): string =>
  JSON.stringify([viewport !== null, hasTouch, javaScriptEnabled])

/** Calls a listener before each call of these methods. */
function onCall(target: object, methods: string[], listener: () => void): void {
  for (const name of methods) {
    const method: unknown = Reflect.get(target, name)
    if (typeof method !== 'function') throw new TypeError(`Playwright has no method ${name}.`)
    Reflect.set(target, name, (...args: unknown[]): unknown => {
      listener()
      return Reflect.apply(method, target, args)
    })
  }
}

export const hasLeftSite = (page: Page): boolean => page.url().endsWith(BARE_PAGE)

/** Goes to the bare page and removes all that the site has stored in the browser, and the history. */
export async function leaveSite(page: Page): Promise<void> {
  if (!hasLeftSite(page)) await page.goto(BARE_PAGE)
  const { origin } = new URL(page.url())
  await page.context().clearCookies()
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE_TYPES })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    const removals = (await indexedDB.databases()).map(
      ({ name = '' }) =>
        new Promise<void>((resolve) => {
          const request = indexedDB.deleteDatabase(name)
          for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, () => resolve())
        }),
    )
    await Promise.all(removals)
  })
}
