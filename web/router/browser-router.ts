import { hrefOf, type Location, parseLocation, pathOf, type To } from './location.ts'
import { type LoadedData, type LoaderContext, loadMatches, type Match, matchRoutes, type Route } from './routes.ts'
import { restoredPosition, savePosition } from './scroll-positions.ts'

/** What pages render from. Changes when a navigation or a revalidation completes. */
export interface RouterState extends LoadedData {
  location: Location
  matches: readonly Match[]
  /** The scroll position to restore, in pixels; `keep` leaves it, `start` goes to the hash or the top. */
  scroll: number | 'keep' | 'start'
}

export type Navigation = { state: 'idle'; location?: undefined } | { state: 'loading'; location: Location }

export interface Progress {
  navigation: Navigation
  revalidation: 'idle' | 'loading'
}

export interface NavigateOptions {
  replace?: boolean
  state?: unknown
  preventScrollReset?: boolean
  /** The entry of the browser's history whose scroll position to restore. */
  scrollKey?: string | undefined
}

/** Called before each navigation. Returning true blocks it, and `proceed` repeats it. */
export type Blocker = (navigation: {
  currentLocation: Location
  nextLocation: Location
  proceed: () => void
}) => boolean

type Action = 'push' | 'replace' | 'pop'

interface HistoryEntry {
  usr: unknown
  key: string
  idx: number
}

export interface RouterOptions {
  routes: readonly Route[]
  initial: LoadedData
  context: LoaderContext
}

const IDLE: Progress = { navigation: { state: 'idle' }, revalidation: 'idle' }
const createKey = () => Math.random().toString(36).slice(2, 10)

/** Navigates by the browser's history: loads the code and data of the next page, then shows it and changes the URL. */
export class BrowserRouter {
  state: RouterState
  progress: Progress = IDLE
  readonly #options: RouterOptions
  readonly #stateListeners = new Set<() => void>()
  readonly #progressListeners = new Set<() => void>()
  #blocker: Blocker | undefined
  #index: number
  #task: { controller: AbortController; done: Promise<void>; run: (isReload: boolean) => Promise<void> } | undefined
  #isIgnoringPop = false
  /** Whether the next load includes what is loaded once. */
  #mustLoadAll = false
  #shown: RouterState
  readonly #waitingForShown: (() => void)[] = []

  constructor(options: RouterOptions) {
    this.#options = options
    const entry = history.state as Partial<HistoryEntry> | null
    this.#index = entry?.idx ?? 0
    if (entry?.idx === undefined) history.replaceState({ ...entry, idx: 0 }, '')
    const location = readLocation()
    this.state = {
      ...options.initial,
      location,
      matches: matchRoutes(options.routes, location.pathname),
      scroll: 'keep',
    }
    this.#shown = this.state
    addEventListener('popstate', () => this.#onPop())
  }

  subscribe(onState: () => void, onProgress: () => void): () => void {
    this.#stateListeners.add(onState)
    this.#progressListeners.add(onProgress)
    return () => {
      this.#stateListeners.delete(onState)
      this.#progressListeners.delete(onProgress)
    }
  }

  /**
   * Resolves when the current state is on the screen. Never awaited in an async transition of React: the state is shown
   * after it.
   */
  whenShown(): Promise<void> {
    if (this.#shown === this.state) return Promise.resolve()
    return new Promise((resolve) => this.#waitingForShown.push(resolve))
  }

  /** Records that a state is on the screen. */
  setShown(state: RouterState): void {
    this.#shown = state
    if (state === this.state) for (const resolve of this.#waitingForShown.splice(0)) resolve()
  }

  /** Resolves when the page is loaded, or another navigation has taken its place. */
  navigate(to: To, options: NavigateOptions = {}): Promise<void> {
    const next = parseLocation(hrefOf(to, this.state.location), origin(), options.state ?? null, createKey())
    return this.#startUnlessBlocked(options.replace ? 'replace' : 'push', next, options, () => {
      void this.#start(options.replace ? 'replace' : 'push', next, options)
    })
  }

  /** Loads the data of the current page again, or that of the page that is being loaded. */
  revalidate(): Promise<void> {
    this.#setProgress({ revalidation: 'loading' })
    if (this.progress.navigation.state === 'loading' && this.#task) return this.#task.run(true)
    const { location } = this.state
    return this.#begin((isReload) => this.#load('replace', location, 'keep', isReload), true)
  }

  /** Like `revalidate`, and includes what is loaded once. */
  reloadAll(): Promise<void> {
    this.#mustLoadAll = true
    return this.revalidate()
  }

  /** Sets the function that is called before navigations. Returns a function that removes it. */
  block(blocker: Blocker): () => void {
    this.#blocker = blocker
    return () => {
      if (this.#blocker === blocker) this.#blocker = undefined
    }
  }

  #startUnlessBlocked(action: Action, next: Location, options: NavigateOptions, proceed: () => void): Promise<void> {
    if (this.#blocker?.({ currentLocation: this.state.location, nextLocation: next, proceed })) return Promise.resolve()
    return this.#start(action, next, options)
  }

  #onPop(): void {
    if (this.#isIgnoringPop) {
      this.#isIgnoringPop = false
      return
    }
    const next = readLocation()
    const index = (history.state as HistoryEntry | null)?.idx ?? 0
    const delta = index - this.#index
    const isBlocked = this.#blocker?.({
      currentLocation: this.state.location,
      nextLocation: next,
      proceed: () => history.go(delta),
    })
    if (isBlocked && delta !== 0) {
      // The browser has changed the URL already.
      this.#isIgnoringPop = true
      history.go(-delta)
      return
    }
    this.#index = index
    void this.#start('pop', next, {})
  }

  #start(action: Action, next: Location, { preventScrollReset, scrollKey = '' }: NavigateOptions): Promise<void> {
    const { location } = this.state
    savePosition(location.key, scrollY)
    const isSameUrl = pathOf(next) === pathOf(location)
    const scroll = preventScrollReset ? 'keep' : (restoredPosition(action === 'pop' ? next.key : scrollKey) ?? 'start')
    const replacing = action === 'push' && isSameUrl ? 'replace' : action
    if (this.progress.revalidation === 'idle' && isHashChange(location, next)) {
      this.#cancel()
      this.#commit(replacing, next, { scroll })
      return Promise.resolve()
    }
    const isReload = this.progress.revalidation === 'loading' || (isSameUrl && action !== 'pop')
    this.#setProgress({ navigation: { state: 'loading', location: next } })
    return this.#begin((mustReload) => this.#load(replacing, next, scroll, mustReload), isReload)
  }

  /** Runs a task instead of the current one. */
  #begin(load: (isReload: boolean) => Promise<void>, isReload: boolean): Promise<void> {
    const run = (mustReload: boolean): Promise<void> => {
      this.#task?.controller.abort()
      const controller = new AbortController()
      const task = { controller, run, done: Promise.resolve() }
      this.#task = task
      task.done = load(mustReload)
      return task.done
    }
    return run(isReload)
  }

  async #load(action: Action, next: Location, scroll: RouterState['scroll'], isReload: boolean): Promise<void> {
    const { state } = this
    const signal = this.#task?.controller.signal
    const matches = matchRoutes(this.#options.routes, next.pathname)
    const mustLoad = isReload || next.search !== state.location.search
    const result = await loadMatches({
      matches,
      request: new Request(new URL(pathOf(next), origin()), signal ? { signal } : {}),
      context: this.#options.context,
      reuse: (match, index) => {
        const { route, pathname } = match
        const shown = state.matches[index]
        if (shown?.route.id !== route.id || !Object.hasOwn(state.loaderData, route.id)) return undefined
        const isReused = (route.isLoadedOnce && !this.#mustLoadAll) || (!mustLoad && shown.pathname === pathname)
        return isReused ? { data: state.loaderData[route.id] } : undefined
      },
    })
    if (signal?.aborted) return this.#task?.done
    this.#mustLoadAll = false
    if (result.redirect) {
      const target = parseLocation(result.redirect.location, origin(), null, createKey())
      return this.#start(action === 'push' ? 'push' : 'replace', target, { preventScrollReset: scroll === 'keep' })
    }
    this.#task = undefined
    this.#commit(action, next, { matches, loaderData: result.loaderData, errors: result.errors, scroll })
    return undefined
  }

  #cancel(): void {
    this.#task?.controller.abort()
    this.#task = undefined
  }

  #commit(action: Action, location: Location, change: Partial<RouterState>): void {
    if (action === 'push') this.#index++
    if (action !== 'pop' && location !== this.state.location) {
      const entry: HistoryEntry = { usr: location.state, key: location.key, idx: this.#index }
      if (action === 'push') history.pushState(entry, '', pathOf(location))
      else history.replaceState(entry, '', pathOf(location))
    }
    this.state = { ...this.state, ...change, location }
    for (const listener of this.#stateListeners) listener()
    this.#setProgress(IDLE)
  }

  #setProgress(change: Partial<Progress>): void {
    this.progress = { ...this.progress, ...change }
    for (const listener of this.#progressListeners) listener()
  }
}

const origin = () => window.location.origin

function readLocation(): Location {
  const entry = history.state as Partial<HistoryEntry> | null
  return parseLocation(window.location.href, origin(), entry?.usr ?? null, entry?.key)
}

/** Whether the URLs differ at most in their hash, and one of them has a hash. */
function isHashChange(from: Location, to: Location): boolean {
  if (from.pathname !== to.pathname || from.search !== to.search) return false
  return to.hash !== '' || from.hash !== ''
}
