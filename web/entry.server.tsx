import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router'
import { ApiContext, apiContext } from './lib/api-context.ts'
import { createClient, type Transport } from './lib/client.ts'
import { type Assets, AssetsContext } from './document.tsx'
import { writeState } from './page-state.ts'
import { routes } from './routes.tsx'

const handler = createStaticHandler(routes)

export interface Rendered {
  status: number
  html?: string
  /** Where to go instead. */
  location?: string
}

/** Renders one address. `assetsFor` turns the matched routes' ids into the files that the page needs. */
export async function render(url: string, send: Transport, assetsFor: (ids: string[]) => Assets): Promise<Rendered> {
  // Made in this bundle: an ApiError of the server's own copy would not be an instance of the loaders' class.
  const api = createClient(send)
  const context = await handler.query(new Request(url), {
    requestContext: new RouterContextProvider(new Map([[apiContext, api]])),
  })
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/' }
  }
  const assets = assetsFor(context.matches.map((match) => match.route.id))
  const body = renderToString(
    <AssetsContext value={assets}>
      <ApiContext value={api}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </ApiContext>
    </AssetsContext>,
  )
  const errors = context.errors && Object.fromEntries(Object.entries(context.errors).map(([id, e]) => [id, plain(e)]))
  const state = writeState({ loaderData: context.loaderData, errors, assets })
  return {
    status: context.statusCode,
    html: `<!DOCTYPE html>${body.replace(/<\/body><\/html>$/, () => `${state}</body></html>`)}`,
  }
}

/** An error as the browser may see it: what a loader answered on purpose, else nothing of the inside. */
function plain(error: unknown): object {
  if (!isRouteErrorResponse(error)) return { message: 'Internal error' }
  return { isResponse: true, status: error.status, statusText: error.statusText, data: error.data as unknown }
}
