import { beforeEach, expect, test, vi } from 'vitest'
import { BrowserRouter } from './browser-router.ts'
import { LoaderContext, redirect, type Route } from './routes.ts'

/** A browser's history, location and scroll position. */
function fakeBrowser(start: string) {
  const entries: { url: string; state: unknown }[] = [{ url: start, state: null }]
  let index = 0
  let onPop = () => {}
  const current = () => entries[index] ?? { url: start, state: null }
  vi.stubGlobal('history', {
    get state() {
      return current().state
    },
    pushState: (state: unknown, _: string, url: string) => {
      entries.splice(index + 1, Infinity, { url, state })
      index++
    },
    replaceState: (state: unknown, _: string, url = current().url) => {
      entries[index] = { url, state }
    },
    go: (delta: number) => {
      index += delta
      onPop()
    },
  })
  vi.stubGlobal('window', {
    get location() {
      return { href: `http://localhost${current().url}`, origin: 'http://localhost' }
    },
  })
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => {
    onPop = listener
  })
  vi.stubGlobal('scrollY', 0)
  return { url: () => current().url, urls: () => entries.map(({ url }) => url) }
}

/** Loads that wait until they are released by URL. */
let waiting: Map<string, () => void>
let loaded: string[]

beforeEach(() => {
  waiting = new Map()
  loaded = []
})

function open(start = '/a', waitsFor: readonly string[] = []) {
  const browser = fakeBrowser(start)
  const load = async (name: string, { request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url)
    loaded.push(`${name} ${pathname}${search}`)
    if (waitsFor.includes(pathname)) await new Promise<void>((resolve) => waiting.set(pathname, resolve))
    return `${pathname}${search}`
  }
  const routes: Route[] = [
    {
      id: 'root',
      isLoadedOnce: true,
      loader: (args) => load('root', args),
      children: [
        { id: 'old', path: '/old', loader: () => redirect('/b') },
        { id: 'page', path: '/:name', loader: (args) => load('page', args) },
      ],
    },
  ]
  const initial = { loaderData: { root: 'initial', page: 'initial' }, errors: null }
  const router = new BrowserRouter({ routes, initial, context: new LoaderContext() })
  return { browser, router, shown: () => router.state.loaderData['page'] }
}

test('a navigation loads the page, then changes the URL', async () => {
  const { router, browser, shown } = open('/a', ['/b'])
  const done = router.navigate('/b')
  expect(browser.url()).toBe('/a')
  expect(router.progress.navigation).toMatchObject({ state: 'loading', location: { pathname: '/b' } })
  await vi.waitUntil(() => waiting.get('/b'))
  waiting.get('/b')?.()
  await done
  expect([browser.urls(), shown(), router.progress.navigation.state]).toEqual([['/a', '/b'], '/b', 'idle'])
  expect(loaded).toEqual(['page /b'])
})

test('a later navigation wins over an earlier one that is slower', async () => {
  const { router, browser, shown } = open('/a', ['/slow'])
  const slow = router.navigate('/slow')
  await vi.waitUntil(() => waiting.get('/slow'))
  await router.navigate('/b')
  waiting.get('/slow')?.()
  await slow
  expect([browser.urls(), shown()]).toEqual([['/a', '/b'], '/b'])
})

test('a redirect takes the place of the requested page in the history', async () => {
  const { router, browser } = open()
  await router.navigate('/old')
  expect(browser.urls()).toEqual(['/a', '/b'])
})

test('a link to the current URL loads its data again and adds no entry', async () => {
  const { router, browser } = open('/a?x=1')
  await router.navigate('/a?x=1')
  expect(browser.urls()).toEqual(['/a?x=1'])
  expect(loaded).toEqual(['page /a?x=1'])
})

test('a hash on the same page loads nothing', async () => {
  const { router, browser } = open()
  await router.navigate('#part')
  expect([browser.urls(), loaded]).toEqual([['/a', '/a#part'], []])
})

test('a hash on the same page does not stop a revalidation', async () => {
  const { router, browser, shown } = open()
  const revalidating = router.revalidate()
  await Promise.all([revalidating, router.navigate('#part')])
  expect([browser.url(), shown(), router.progress.revalidation]).toEqual(['/a#part', '/a', 'idle'])
})

test('Back shows the page and its scroll position again', async () => {
  const { router, shown } = open()
  vi.stubGlobal('scrollY', 700)
  await router.navigate('/b')
  expect(router.state.scroll).toBe('start')
  history.go(-1)
  await vi.waitUntil(() => shown() === '/a')
  expect(router.state.scroll).toBe(700)
})

test('a link can restore the scroll position of an earlier entry', async () => {
  const { browser, router } = open()
  const { key } = router.state.location
  vi.stubGlobal('scrollY', 700)
  await router.navigate('/b')
  await router.navigate('/a', { scrollKey: key })
  expect([browser.urls(), router.state.scroll]).toEqual([['/a', '/b', '/a'], 700])
  await router.navigate('/c', { scrollKey: 'unknown' })
  expect(router.state.scroll).toBe('start')
})

test('a revalidation loads the current page again and keeps the scroll position', async () => {
  const { router, browser } = open()
  const done = router.revalidate()
  expect(router.progress).toMatchObject({ navigation: { state: 'idle' }, revalidation: 'loading' })
  await done
  expect([loaded, browser.urls(), router.state.scroll]).toEqual([['page /a'], ['/a'], 'keep'])
  expect(router.progress.revalidation).toBe('idle')
})

test('whenShown resolves when the newest state is on the screen, not an earlier one', async () => {
  const { router } = open()
  await router.whenShown()
  await router.revalidate()
  const first = router.state
  const waited = vi.fn<() => void>()
  const newest = router.whenShown().then(waited)
  await router.navigate('/b')
  router.setShown(first)
  await Promise.resolve()
  expect(waited).not.toHaveBeenCalled()
  router.setShown(router.state)
  await newest
  await router.whenShown()
})

test('a revalidation during a navigation loads the next page again', async () => {
  const { router, shown } = open('/a', ['/b'])
  const navigating = router.navigate('/b')
  await vi.waitUntil(() => waiting.get('/b'))
  const releaseFirst = waiting.get('/b')
  const revalidating = router.revalidate()
  await vi.waitUntil(() => waiting.get('/b') !== releaseFirst)
  waiting.get('/b')?.()
  releaseFirst?.()
  await Promise.all([navigating, revalidating])
  expect([shown(), loaded]).toEqual(['/b', ['page /b', 'page /b']])
})

test('a blocked navigation changes nothing until it proceeds', async () => {
  const { router, browser, shown } = open()
  let proceed: (() => void) | undefined
  const unblock = router.block((navigation) => {
    proceed = navigation.proceed
    return true
  })
  await router.navigate('/b')
  expect([browser.urls(), loaded]).toEqual([['/a'], []])
  unblock()
  proceed?.()
  await vi.waitUntil(() => shown() === '/b')
  router.block(() => true)
  history.go(-1)
  expect([browser.url(), shown()]).toEqual(['/b', '/b'])
})
