import type { App } from './server.ts'

/** Tells of each request that may have changed something, before its answer goes out. */
export function afterWrites(app: App, tell: () => void): void {
  app.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') tell()
  })
}
