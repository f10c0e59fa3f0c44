import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'

export interface Build {
  /** Names of the pages. */
  pages: ReadonlySet<string>
  /** File name of its first script. */
  entry: string
}

/**
 * Logs pages whose HTML browsers could not use, because something between the server and React has changed it. Once for each
 * page and kind, since a CDN that rewrites HTML does so for every visitor. Reports are from anyone: only known names are logged.
 */
export function registerPageErrors(app: App, build: Build | undefined): void {
  const logged = new Set<string>()
  serve(app, 'POST /api/page-errors', ({ body }) => {
    const { page, kind } = body
    const key = `${kind} ${page}`
    if (build && body.build === build.entry && build.pages.has(page) && !logged.has(key)) {
      logged.add(key)
      app.log.warn({ page, kind, build: build.entry }, 'page replaced in a browser')
    }
    return { message: 'Reported' }
  })
}
