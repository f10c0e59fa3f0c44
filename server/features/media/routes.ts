import type { App } from '#server/http/server.ts'
import type { MediaStore } from './store.ts'

const NAME = /^[0-9a-f]{64}(-card)?\.webp$/

export function registerMedia(app: App, store: MediaStore): void {
  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { name } = request.params
    const etag = `"${name}"`
    const bytes = NAME.test(name) ? await store.get(name) : undefined
    if (!bytes) return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('No such image.\n')
    reply.header('etag', etag).header('cache-control', 'public, max-age=31536000, immutable')
    reply.header('content-security-policy', "default-src 'none'; sandbox")
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('image/webp').send(bytes)
  })
}
