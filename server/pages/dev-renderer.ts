import type { App } from '#server/http/server.ts'
import type { render as renderPage } from '#web/entry.server.tsx'
import type { Renderer } from './renderer.ts'

const ASSETS = { css: ['/web/styles.css'], scripts: ['/web/dev.ts'], preload: [], beforePaint: '/web/before-paint.ts' }

/** Renders from the sources through Vite, which also serves the browser's modules and reloads them when they change. */
export async function openDevRenderer(app: App, root: string): Promise<Renderer> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isPage = request.headers.accept?.includes('text/html')
    if (isPage || /^\/(api|raw|media)\//.test(request.url)) return done()
    vite.middlewares(request.raw, reply.raw, () => done())
  })
  return {
    async render(url, send) {
      const { render } = (await vite.ssrLoadModule('/web/entry.server.tsx')) as { render: typeof renderPage }
      return render(url, send, () => ASSETS)
    },
    close: () => vite.close(),
  }
}
