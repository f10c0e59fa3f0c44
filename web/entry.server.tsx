import { renderToString } from 'react-dom/server'
import { Pages, type PageState } from '#web/router/router.tsx'
import { parseLocation } from '#web/router/location.ts'
import { LoaderContext, loadMatches, matchRoutes, type Route } from '#web/router/routes.ts'
import { ApiContext, apiContext } from '#web/lib/api-context.ts'
import { type Api, createClient, type Transport } from '#web/lib/client.ts'
import { serializeErrors, deserializeErrors, statusOf, unexpectedError } from './page-errors.ts'
import { writeState, writeStructuredData } from './page-state.ts'
import { routes } from './routes.tsx'
import { structuredData } from './structured-data.ts'

/** Paths of the build's files that a page needs. */
export interface Assets {
  css: string[]
  scripts: string[]
  preload: string[]
  beforePaint: string
  /** The font of the text. Undefined in development. */
  font?: string
}

export interface Rendered {
  status: number
  html?: string
  /** Target of a redirect. */
  location?: string
  /** Unexpected error, for the log. The page does not show it. */
  failure?: unknown
}

const parametersOf = ({ parameters = [], children = [] }: Route): string[] => [
  ...parameters,
  ...children.flatMap(parametersOf),
]

/** Query parameters that some page reads, in alphabetical order. */
export const parameters: readonly string[] = [...new Set(routes.flatMap(parametersOf))].toSorted()

/** Renders a URL. `assetsFor` returns the files that the routes with these ids need. */
export async function render(url: string, send: Transport, assetsFor: (ids: string[]) => Assets): Promise<Rendered> {
  // Created in this bundle, because the ApiError class of the server's own copy would be a different one.
  const api = createClient(send)
  const location = parseLocation(url, url)
  const matches = matchRoutes(routes, location.pathname)
  const context = new LoaderContext([[apiContext, api]])
  const loaded = await loadMatches({ matches, request: new Request(url), context })
  if (loaded.redirect) return { status: 302, location: loaded.redirect.location }
  const page = { location, matches, loaderData: loaded.loaderData, errors: loaded.errors }
  const assets = assetsFor(matches.map(({ route }) => route.id))
  try {
    return write(page, loaded.status, api, assets)
  } catch (error) {
    // Error boundaries do not work on the server: render again with the error in the innermost route.
    const innermost = matches.at(-1)?.route.id ?? 'root'
    return write({ ...page, errors: { [innermost]: error } }, 500, api, assets)
  }
}

function write(page: PageState, status: number, api: Api, assets: Assets): Rendered {
  const errors = serializeErrors(page.errors)
  const body = renderToString(
    <ApiContext value={api}>
      <Pages state={{ ...page, errors: errors && deserializeErrors(errors) }} />
    </ApiContext>,
  )
  const state = writeState({ loaderData: page.loaderData, errors })
  const data = errors ? undefined : structuredData(page.loaderData, page.location.pathname)
  const blocks = (data ? writeStructuredData(data) : '') + state
  return {
    status: statusOf(page.errors, status),
    html: `<!DOCTYPE html>${addAssets(body, assets).replace(/<\/body><\/html>$/, () => `${blocks}</body></html>`)}`,
    failure: unexpectedError(page.errors),
  }
}

/**
 * Adds the build's files to <head>. React must not render them: where the HTML was changed on its way, React creates all elements
 * again, and the policy for Trusted Types forbids it to create scripts. The first script blocks on purpose, and changes <html>
 * before it is painted. Modules run after parsing, because they read the state at the end of the document. They have low
 * priority: the page works without them.
 */
function addAssets(html: string, { css, scripts, preload, beforePaint, font }: Assets): string {
  const start = [
    `<script src="${beforePaint}"></script>`,
    // Browsers use the font only if it is there by the first paint.
    ...(font ? [`<link rel="preload" href="${font}" as="font" type="font/woff2" crossOrigin="anonymous"/>`] : []),
    ...css.map((href) => `<link rel="stylesheet" href="${href}"/>`),
  ]
  const end = [
    ...preload.map((href) => `<link rel="modulepreload" href="${href}" fetchPriority="low"/>`),
    ...scripts.map((src) => `<script type="module" src="${src}" fetchPriority="low"></script>`),
  ]
  return html.replace('<head>', () => `<head>${start.join('')}`).replace('</head>', () => `${end.join('')}</head>`)
}
