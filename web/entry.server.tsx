import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import { ApiContext, apiContext } from '#web/lib/api-context.ts'
import { type Api, createClient, type Transport } from '#web/lib/client.ts'
import { type Assets, AssetsContext } from './document.tsx'
import { serializeErrors, deserializeErrors, statusOf, unexpectedError } from './page-errors.ts'
import { writeState } from './page-state.ts'
import { routes } from './routes.tsx'

const handler = createStaticHandler(routes)

export interface Rendered {
  status: number
  html?: string
  /** Target of a redirect. */
  location?: string
  /** Unexpected error, for the log. The page does not show it. */
  failure?: unknown
}

/** Renders a URL. `assetsFor` returns the files that the routes with these ids need. */
export async function render(url: string, send: Transport, assetsFor: (ids: string[]) => Assets): Promise<Rendered> {
  // Created in this bundle, because the ApiError class of the server's own copy would be a different one.
  const api = createClient(send)
  const context = await handler.query(new Request(url), {
    requestContext: new RouterContextProvider(new Map([[apiContext, api]])),
  })
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/' }
  }
  const assets = assetsFor(context.matches.map((match) => match.route.id))
  try {
    return write(context, api, assets)
  } catch (error) {
    // Error boundaries do not work on the server: render again with the error in the innermost route.
    const innermost = context.matches.at(-1)?.route.id ?? 'root'
    return write({ ...context, statusCode: 500, errors: { [innermost]: error } }, api, assets)
  }
}

function write(context: StaticHandlerContext, api: Api, assets: Assets): Rendered {
  const errors = serializeErrors(context.errors)
  const shown = { ...context, errors: errors && deserializeErrors(errors) }
  const body = renderToString(
    <AssetsContext value={assets}>
      <ApiContext value={api}>
        <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, shown)} context={shown} hydrate={false} />
      </ApiContext>
    </AssetsContext>,
  )
  const state = writeState({ loaderData: context.loaderData, errors, assets })
  return {
    status: statusOf(context.errors, context.statusCode),
    html: `<!DOCTYPE html>${body.replace(/<\/body><\/html>$/, () => `${state}</body></html>`)}`,
    failure: unexpectedError(context.errors),
  }
}
