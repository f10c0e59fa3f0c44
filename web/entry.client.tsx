import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  type HydrationState,
  matchRoutes,
  RouterContextProvider,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { AssetsContext } from './document.tsx'
import { ApiContext, apiContext } from './lib/api-context.ts'
import { sendOverHttp } from './lib/browser-transport.ts'
import { createClient } from './lib/client.ts'
import { type PageState, readState } from './page-state.ts'
import { routes } from './routes.tsx'

interface PlainResponse {
  isResponse?: true
  status: number
  statusText: string
  data: unknown
}

function hydrationOf({ loaderData, errors }: PageState): HydrationState {
  const data = loaderData ? { loaderData } : {}
  if (!errors) return data
  const revived = Object.entries(errors as Record<string, PlainResponse>).map(([id, error]) => [
    id,
    error.isResponse ? new ErrorResponse(error.status, error.statusText, error.data) : error,
  ])
  return { ...data, errors: Object.fromEntries(revived) as Record<string, unknown> }
}

// Hydration needs the code of the matched pages at once.
await Promise.all(
  (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
    if (typeof route.lazy !== 'object') return
    const component = await route.lazy.Component?.()
    if (component) route.Component = component
    delete route.lazy
  }),
)

const api = createClient(sendOverHttp)
const state = readState()
const router = createBrowserRouter(routes, {
  hydrationData: hydrationOf(state),
  getContext: () => new RouterContextProvider(new Map([[apiContext, api]])),
})
hydrateRoot(
  document,
  <StrictMode>
    <AssetsContext value={state.assets}>
      <ApiContext value={api}>
        <RouterProvider router={router} />
      </ApiContext>
    </AssetsContext>
  </StrictMode>,
)
