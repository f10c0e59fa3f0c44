import { type ReactNode, startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from '#web/router/browser-router.ts'
import { RouterProvider } from '#web/router/router.tsx'
import { LoaderContext, loadRoute, matchRoutes } from '#web/router/routes.ts'
import { ApiContext, apiContext } from '#web/lib/api-context.ts'
import { consumeOAuthReturn } from '#web/lib/oauth-return.ts'
import { createClient, type Transport } from '#web/lib/client.ts'
import { createSession } from '#web/lib/create-session.ts'
import { PreloadContext } from '#web/lib/preload.ts'
import { SessionContext, sessionContext } from '#web/lib/session.tsx'
import { forgetToken, readToken, replaceToken } from '#web/lib/token.ts'
import { tolerateForeignChanges } from './foreign-changes.ts'
import { deserializeErrors } from './page-errors.ts'
import { readState } from './page-state.ts'
import { restoreElements, useRecovery } from './recovery.ts'
import { reportPageError } from './report-page-error.ts'
import { routes } from './routes.tsx'

const UNAUTHORIZED = 401

/** Changes of scripts and ratings, which carry the member's id. The server reads it from the session only. */
const HAS_USER_ID = /^(POST|PUT|DELETE) \/api\/script(s|-details|-rating)(\?|$)/

const isPublicList = (method: string, url: string): boolean =>
  /^GET \/api\/scripts(\?|$)/.test(`${method} ${url}`) && !/[?&]author=/.test(url)

/** Lists on pages are the same for everyone, also for admins, whose token would add private scripts. */
const addScope = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}public=true`

/**
 * Sends requests with the session token, unless they have their own authorization header. Stores a new token, and
 * forgets a rejected one.
 */
const sendOverHttp: Transport = async ({ method, url, headers, body, signal }) => {
  const token = readToken()
  const isSmall = typeof body === 'string' && body.length < 1000
  const response = await fetch(token && isPublicList(method, url) ? addScope(url) : url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(HAS_USER_ID.test(`${method} ${url}`) ? { 'user-id': `${session.get().user?.id ?? ''}` } : {}),
      ...headers,
    },
    // Lets small requests, such as a sign-out, finish after the page is closed. Browsers limit their size.
    keepalive: (method === 'POST' && isSmall) || (method === 'DELETE' && body === undefined),
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  // The token from the URL is valid for a minute. The response replaces it with the session token.
  const sessionToken = response.headers.get('session-token')
  if (token && sessionToken) replaceToken(token, sessionToken)
  else if (token && !headers?.['authorization'] && response.status === UNAUTHORIZED) forgetToken(token)
  return { status: response.status, statusText: response.statusText, text: await response.text() }
}

// Before the router reads the URL.
const oauthReturn = consumeOAuthReturn()
const api = createClient(sendOverHttp)
const session = createSession(api, oauthReturn)

// Hydration needs the code of the matched pages.
await Promise.all(matchRoutes(routes, location.pathname).map(({ route }) => loadRoute(route)))

function preload(path: string): void {
  for (const { route } of matchRoutes(routes, path)) {
    // An error is reported when the visitor opens the page.
    loadRoute(route).catch(() => undefined)
  }
}

const state = readState()
const router = new BrowserRouter({
  routes,
  context: new LoaderContext([
    [apiContext, api],
    [sessionContext, session],
  ]),
  initial: { loaderData: state.loaderData, errors: state.errors && deserializeErrors(state.errors) },
})

function Recoverable({ children }: { children: ReactNode }) {
  useRecovery()
  return children
}

const page = router.state.matches.at(-1)?.route.id ?? ''
const build = import.meta.url.split('/').at(-1) ?? ''
const report = (error: unknown) => reportPageError(error, page, build)

tolerateForeignChanges()
// In a transition, React hydrates in slices of a few milliseconds and serves input between them.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Recoverable>
        <ApiContext value={api}>
          <SessionContext value={session}>
            <PreloadContext value={preload}>
              <RouterProvider router={router} />
            </PreloadContext>
          </SessionContext>
        </ApiContext>
      </Recoverable>
    </StrictMode>,
    {
      onRecoverableError: report,
      onUncaughtError: (error) => {
        restoreElements()
        report(error)
        console.error(error)
      },
    },
  )
})

/** After the first load, whose connection it would share. */
const REGISTRATION_DELAY_MS = 3000
if (import.meta.env.PROD) {
  const register = async () => (await import('./register-service-worker.ts')).registerServiceWorker(router)
  // A browser that cannot register it works as before.
  setTimeout(() => void register().catch(() => undefined), REGISTRATION_DELAY_MS)
}
