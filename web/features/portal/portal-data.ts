import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLoaderData, useLocation, useMatches, useNavigation, useRevalidator } from '#web/router/router.tsx'
import type { LoaderArgs, Params } from '#web/router/routes.ts'
import type { CurrentUser } from '#contract/accounts.ts'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import { type ActionMessages, useAction } from '#web/shared/use-action.ts'
import { apiContext, useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { describeActionError, isForbidden } from '#web/lib/describe-error.ts'
import { sessionContext } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'

const REFRESH_MS = 30_000
const CHECK_MS = 1000

interface Loaded<T> {
  data?: T
  error?: { title: string; text: string }
}

interface LoadRequest {
  query: URLSearchParams
  params: Params
  signal: AbortSignal
}

interface LoadOptions {
  /** Title of the toast if loading fails. */
  errorTitle?: string
  canLoad?: (user: CurrentUser) => boolean
}

/**
 * Creates the loader of a portal tab. It returns null on the server, which renders for visitors only, and in the browser
 * until the session is known. Errors are returned instead of thrown, so that a failed refresh leaves the data on screen.
 */
export function createLoader<T>(
  load: (api: Api, request: LoadRequest) => Promise<T>,
  { errorTitle = 'Failed to fetch data', canLoad = (user) => user.is_admin }: LoadOptions = {},
) {
  return async ({ request, params, context }: LoaderArgs): Promise<Loaded<T> | null> => {
    const { user, refresh } = context.get(sessionContext).get()
    if (!user || !canLoad(user)) return null
    const { signal } = request
    try {
      const query = new URL(request.url).searchParams
      return { data: await load(context.get(apiContext), { query, params, signal }) }
    } catch (error) {
      if (signal.aborted) throw error
      // The member may have lost the role. The reloaded session decides whether the portal is still shown.
      if (isForbidden(error)) void refresh()
      return { error: { title: errorTitle, text: describeActionError(error) } }
    }
  }
}

export interface TabData<T> {
  /** Undefined until loaded. Unchanged if a later load of the same URL fails. */
  data: T | undefined
  error: string | undefined
  /** Whether another page or filter of the tab is being loaded. */
  isPending: boolean
  reload: () => Promise<void>
}

export function useTabData<T>(): TabData<T> {
  const loaded = useLoaderData<Loaded<T> | null>()
  const { pathname, search } = useLocation()
  const { location: next } = useNavigation()
  const { revalidate } = useRevalidator()
  const url = pathname + search
  const [last, setLast] = useState({ url, loaded, data: loaded?.data })
  if (last.loaded !== loaded) {
    const previous = last.url === url ? last.data : undefined
    setLast({ url, loaded, data: loaded?.data === undefined ? previous : loaded.data })
  }
  return {
    data: last.data,
    error: last.data === undefined ? loaded?.error?.text : undefined,
    isPending: next?.pathname === pathname,
    reload: revalidate,
  }
}

export interface RefreshResult {
  tone: 'success' | 'error'
  text: string
}

/**
 * Loads the page's data once the session is known, then every 30 seconds while the page is not in use, and reports
 * failures. `refresh` loads immediately, and `onRefreshed` receives its result.
 */
export function useRefresh(onRefreshed?: (result: RefreshResult) => void) {
  const { revalidate, state } = useRevalidator()
  const { pathname } = useLocation()
  const loaded = useMatches().at(-1)?.loaderData as Loaded<unknown> | null | undefined
  const toast = useToast()
  const isRequested = useRef(false)
  const failedPath = useRef<string>(undefined)
  const startedAt = useRef(0)

  const report = useEffectEvent(({ error }: Loaded<unknown>) => {
    startedAt.current = Date.now()
    if (isRequested.current) {
      isRequested.current = false
      onRefreshed?.(
        error
          ? { tone: 'error', text: `Failed to fetch data: ${error.text}` }
          : { tone: 'success', text: 'Data refreshed successfully' },
      )
    } else if (error && failedPath.current !== pathname) {
      // A tab that keeps failing reports it once.
      toast({ ...error, tone: 'error' })
    }
    failedPath.current = error ? pathname : undefined
  })
  useEffect(() => {
    if (loaded) report(loaded)
  }, [loaded])

  const load = useCallback(() => {
    startedAt.current = Date.now()
    void revalidate()
  }, [revalidate])

  const isLoaded = loaded != null
  useEffect(() => {
    if (!isLoaded) load()
  }, [isLoaded, load])

  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() - startedAt.current >= REFRESH_MS && !document.hidden && !isInUse()) load()
    }, CHECK_MS)
    return () => clearInterval(timer)
  }, [load])

  const refresh = () => {
    isRequested.current = true
    load()
  }
  return { refresh, isRefreshing: state === 'loading' }
}

/** Whether a dialog or menu is open, something is selected or a field has the focus: new data would interrupt it. */
function isInUse(): boolean {
  if (document.querySelector('dialog[open], :popover-open, [data-selection]')) return true
  if (document.activeElement?.matches('textarea, select, input:not([type=checkbox], [type=radio])')) return true
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed
}

/** Performs an action of the portal, shows a toast with the outcome and reloads the tab. Rejects if the action failed. */
export function useAdminAction() {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  return async (body: BodyOf<'POST /api/admin-keys'>, messages: ActionMessages<ResultOf<'POST /api/admin-keys'>>) => {
    const result = await run(() => api('POST /api/admin-keys', { body }), messages)
    void revalidate()
    return result
  }
}
