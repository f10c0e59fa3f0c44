import type { Database } from '#server/db/database.ts'
import type { Guards } from '#server/http/guards.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { hashOfName, mediaPath } from './names.ts'
import { requireRoom } from './process.ts'
import { keepImage } from './service.ts'
import type { MediaStore } from './store.ts'
import { acceptUploads, readUpload } from './upload.ts'

export interface MediaParts {
  db: Database
  store: MediaStore
  guards: Guards
}

export function registerMedia(app: App, { db, store, guards }: MediaParts): void {
  serveFiles(app, store)
  app.register(async (scope) => {
    await acceptUploads(scope)
    serve(scope, 'POST /api/media', guards.notMuted, async ({ request, reply }) => {
      requireRoom()
      const hash = await keepImage(db, store, await readUpload(request))
      reply.code(201)
      return { url: mediaPath(hash, 'full'), url_card: mediaPath(hash, 'card') }
    })
  })
}

/** Files come straight from the store: they stay in browsers and proxies for ever and in no memory of ours. */
function serveFiles(app: App, store: MediaStore): void {
  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { name } = request.params
    const isName = hashOfName(name) !== undefined
    const etag = `"${name}"`
    const isKnown = isName && request.headers['if-none-match'] === etag
    const bytes = isName && !isKnown ? await store.get(name) : undefined
    reply.header('content-security-policy', "default-src 'none'; sandbox")
    if (!bytes && !isKnown) {
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('No such image.\n')
    }
    reply.header('etag', etag).header('cache-control', 'public, max-age=31536000, immutable')
    if (!bytes) return reply.code(304).send()
    return reply.type('image/webp').send(bytes)
  })
}
