import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, type HydrationState, matchRoutes, RouterContextProvider } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { AssetsContext } from './document.tsx'
import { ApiContext, apiContext } from '#web/lib/api-context.ts'
import { consumeOAuthReturn } from '#web/lib/oauth-return.ts'
import { sendOverHttp } from '#web/lib/browser-transport.ts'
import { createClient } from '#web/lib/client.ts'
import { createSession } from '#web/lib/create-session.ts'
import { PreloadContext } from '#web/lib/preload.ts'
import { SessionContext, sessionContext } from '#web/lib/session.tsx'
import { deserializeErrors } from './page-errors.ts'
import { type PageState, readState } from './page-state.ts'
import { routes } from './routes.tsx'

function hydrationOf({ loaderData, errors }: PageState): HydrationState {
  return { ...(loaderData ? { loaderData } : {}), ...(errors ? { errors: deserializeErrors(errors) } : {}) }
}

// Before the router reads the address.
const arrival = consumeOAuthReturn()
const api = createClient(sendOverHttp)
const session = createSession(api, arrival)

// Hydration needs the code of the matched pages at once.
await Promise.all(
  (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
    if (typeof route.lazy !== 'object') return
    const [Component, loader] = await Promise.all([route.lazy.Component?.(), route.lazy.loader?.()])
    Object.assign(route, { ...(Component ? { Component } : {}), ...(loader ? { loader } : {}) })
    delete route.lazy
  }),
)

function preload(path: string): void {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    // A failure is shown when the page is really asked for.
    if (typeof route.lazy === 'object') void route.lazy.Component?.().catch(() => undefined)
  }
}

function getContext(): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(apiContext, api)
  context.set(sessionContext, session)
  return context
}

const state = readState()
const router = createBrowserRouter(routes, {
  hydrationData: hydrationOf(state),
  getContext,
})
hydrateRoot(
  document,
  <StrictMode>
    <AssetsContext value={state.assets}>
      <ApiContext value={api}>
        <SessionContext value={session}>
          <PreloadContext value={preload}>
            <RouterProvider router={router} />
          </PreloadContext>
        </SessionContext>
      </ApiContext>
    </AssetsContext>
  </StrictMode>,
)
