import {
  Component,
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { BrowserRouter, NavigateOptions, Navigation, Progress, RouterState } from './browser-router.ts'
import { hrefOf, type Location, pathOf, type To } from './location.ts'
import { findError, type LoaderData, type LoadedData, type Match, type Params } from './routes.ts'
import { persistPositions } from './scroll-positions.ts'

/** What pages render from. On the server there is no router. */
export type PageState = LoadedData & Pick<RouterState, 'location' | 'matches'> & Partial<Pick<RouterState, 'scroll'>>

const IDLE: Progress = { navigation: { state: 'idle' }, revalidation: 'idle' }

const RouterContext = createContext<BrowserRouter | undefined>(undefined)
const StateContext = createContext<PageState | undefined>(undefined)
const ProgressContext = createContext<Progress>(IDLE)

interface RouteView {
  match: Match
  /** The element of the child route. */
  outlet: ReactNode
  error: unknown
}

const RouteContext = createContext<RouteView | undefined>(undefined)

function useRequired<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Router hooks and components need a router around them.')
  return value
}

const usePageState = () => useRequired(useContext(StateContext))
const useRoute = () => useRequired(useContext(RouteContext))

/** Shows the router's pages. A page that is not ready does not replace the previous one, because updates are transitions. */
export function RouterProvider({ router }: { router: BrowserRouter }) {
  const [state, setState] = useState(router.state)
  const [progress, setProgress] = useState(router.progress)
  useLayoutEffect(() => {
    const showState = () => startTransition(() => setState(router.state))
    const showProgress = () => {
      const next = router.progress
      // The end of a navigation is shown together with its page.
      if (next.navigation.state === 'idle') startTransition(() => setProgress(next))
      else setProgress(next)
    }
    // The router may have moved on since the first rendering.
    showState()
    showProgress()
    return router.subscribe(showState, showProgress)
  }, [router])
  useLayoutEffect(() => router.setShown(state), [router, state])
  return (
    <RouterContext value={router}>
      <Pages state={state} progress={progress} />
    </RouterContext>
  )
}

/** The pages of a state. Links work as plain links without a router. */
export function Pages({ state, progress = IDLE }: { state: PageState; progress?: Progress }) {
  return (
    <ProgressContext value={progress}>
      <StateContext value={state}>{useMemo(() => renderMatches(state), [state])}</StateContext>
    </ProgressContext>
  )
}

/** The nested elements of all matches, up to the one that shows an error. */
function renderMatches({ matches, errors }: PageState): ReactNode {
  const failure = findError(matches, errors)
  return matches.slice(0, failure && failure.index + 1).reduceRight<ReactNode>((outlet, match, index) => {
    const { Component: Page, ErrorBoundary } = match.route
    const isFailed = failure?.index === index
    const Shown = isFailed ? ErrorBoundary : Page
    const element = (
      <RouteLevel match={match} outlet={outlet} error={isFailed ? failure.error : undefined}>
        {Shown ? <Shown /> : outlet}
      </RouteLevel>
    )
    if (!ErrorBoundary || isFailed) return element
    return (
      <RenderErrors match={match} fallback={ErrorBoundary}>
        {element}
      </RenderErrors>
    )
  }, null)
}

function RouteLevel({ match, outlet, error, children }: RouteView & { children: ReactNode }) {
  const view = useMemo(() => ({ match, outlet, error }), [match, outlet, error])
  return <RouteContext value={view}>{children}</RouteContext>
}

function RenderErrors({ match, fallback, children }: { match: Match; fallback: ComponentType; children: ReactNode }) {
  const { location } = usePageState()
  const { revalidation } = useContext(ProgressContext)
  return (
    <ErrorCatcher match={match} fallback={fallback} location={location} isLoading={revalidation === 'loading'}>
      {children}
    </ErrorCatcher>
  )
}

interface CatcherProps {
  match: Match
  fallback: ComponentType
  location: Location
  isLoading: boolean
  children: ReactNode
}

interface CatcherState {
  caught?: { error: unknown } | undefined
  location: Location
  isLoading: boolean
}

/** Shows an error of rendering until the location changes or a revalidation ends. */
class ErrorCatcher extends Component<CatcherProps, CatcherState> {
  override state: CatcherState = { location: this.props.location, isLoading: this.props.isLoading }

  static getDerivedStateFromError(error: unknown): Partial<CatcherState> {
    return { caught: { error } }
  }

  static getDerivedStateFromProps({ location, isLoading }: CatcherProps, state: CatcherState): Partial<CatcherState> {
    const isOver = location !== state.location || (state.isLoading && !isLoading)
    return { location, isLoading, ...(isOver ? { caught: undefined } : {}) }
  }

  override render() {
    const { match, fallback: Fallback, children } = this.props
    const { caught } = this.state
    if (!caught) return children
    return (
      <RouteLevel match={match} outlet={null} error={caught.error}>
        <Fallback />
      </RouteLevel>
    )
  }
}

export const Outlet = () => useRoute().outlet

export const useLocation = (): Location => usePageState().location

export const useParams = (): Params => useRoute().match.params

export function useQuery(): URLSearchParams {
  const { search } = useLocation()
  return useMemo(() => new URLSearchParams(search), [search])
}

/** The matched routes with their data, outermost first. */
export function useMatches(): (Match & { loaderData: unknown })[] {
  const { matches, loaderData } = usePageState()
  return matches.map((match) => ({ ...match, loaderData: loaderData[match.route.id] }))
}

/** The data of the route's loader. `T` is its type, or that of the loader. */
export function useLoaderData<T>(): LoaderData<T> {
  const { match } = useRoute()
  return usePageState().loaderData[match.route.id] as LoaderData<T>
}

export function useRouteLoaderData(id: string): unknown {
  return usePageState().loaderData[id]
}

export const useRouteError = (): unknown => useRoute().error

export const useNavigation = (): Navigation => useContext(ProgressContext).navigation

/** Loads the page's data again. The promise resolves when it is shown. */
export function useRevalidator(): { revalidate: () => Promise<void>; state: 'idle' | 'loading' } {
  const router = useContext(RouterContext)
  const { revalidation } = useContext(ProgressContext)
  const revalidate = useCallback(async () => {
    await router?.revalidate()
    await router?.whenShown()
  }, [router])
  return useMemo(() => ({ revalidate, state: revalidation }), [revalidate, revalidation])
}

/**
 * A function that loads the data of the page and what is loaded once, for all pages. Its promise resolves when they are
 * shown.
 */
export function useReloadAll(): () => Promise<void> {
  const router = useContext(RouterContext)
  return useCallback(async () => {
    await router?.reloadAll()
    await router?.whenShown()
  }, [router])
}

/** A function that navigates. Its promise resolves when the page is shown or the navigation was replaced by another. */
export function useNavigate(): (to: To, options?: NavigateOptions) => Promise<void> {
  const router = useContext(RouterContext)
  return useCallback(
    async (to, options) => {
      await router?.navigate(to, options)
      await router?.whenShown()
    },
    [router],
  )
}

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, NavigateOptions {
  to: To
}

/** A link that navigates without loading the document, unless a key asks for a new tab or window. */
export function Link({ to, replace, state, preventScrollReset, scrollKey, onClick, children, ...rest }: LinkProps) {
  const navigate = useNavigate()
  const location = useLocation()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (event.defaultPrevented || !isPlain || (rest.target && rest.target !== '_self')) return
    event.preventDefault()
    void navigate(to, {
      ...(replace === undefined ? {} : { replace }),
      ...(preventScrollReset === undefined ? {} : { preventScrollReset }),
      state,
      scrollKey,
    })
  }
  return (
    <a {...rest} href={hrefOf(to, location)} onClick={follow}>
      {children}
    </a>
  )
}

/** Navigates when it is rendered in the browser. */
export function Navigate({ to, replace, state }: { to: To; replace?: boolean; state?: unknown }) {
  const navigate = useNavigate()
  const text = JSON.stringify({ to, replace, state })
  useEffect(() => {
    const { to: target, ...options } = JSON.parse(text) as { to: To } & NavigateOptions
    void navigate(target, options)
  }, [navigate, text])
  return null
}

export interface Blocked {
  proceed: () => void
  reset: () => void
}

/** Blocks navigations for which the function is true. Returns the blocked one, if any. */
export function useBlocker(
  isBlocked: (navigation: { currentLocation: Location; nextLocation: Location }) => boolean,
): Blocked | undefined {
  const router = useContext(RouterContext)
  const [blocked, setBlocked] = useState<{ proceed: () => void }>()
  const allowed = useRef<string>(undefined)
  // Before the browser paints: what is on the screen as unsaved must not be left without a question.
  useLayoutEffect(() => {
    return router?.block(({ currentLocation, nextLocation, proceed }) => {
      const next = pathOf(nextLocation)
      if (allowed.current === next || !isBlocked({ currentLocation, nextLocation })) return false
      setBlocked({
        proceed: () => {
          allowed.current = next
          setBlocked(undefined)
          proceed()
        },
      })
      return true
    })
  }, [router, isBlocked])
  return useMemo(() => blocked && { proceed: blocked.proceed, reset: () => setBlocked(undefined) }, [blocked])
}

/** Scrolls to the start of a new page, to the hash, or to where the visitor was before. */
export function ScrollRestoration() {
  const state = usePageState()
  const router = useContext(RouterContext)
  useEffect(() => (router ? persistPositions(() => router.state.location.key) : undefined), [router])
  useLayoutEffect(() => {
    const { scroll = 'keep', location } = state
    if (scroll === 'keep') return
    const target = scroll === 'start' && location.hash && document.getElementById(decodeHash(location.hash))
    // Without a return value, because newer browsers return a promise from scrollTo.
    if (target) target.scrollIntoView()
    else scrollTo(0, scroll === 'start' ? 0 : scroll)
  }, [state])
  return null
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
