import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import type { App } from '#server/http/server.ts'

const TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** The build's hashed files, for ever cacheable, and the few files with fixed names. */
export async function registerFiles(app: App, clientFolder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.join(clientFolder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    index: false,
    decorateReply: false,
  })
  for (const file of readdirSync(clientFolder, { withFileTypes: true })) {
    const type = TYPES[path.extname(file.name)]
    if (!file.isFile() || !type) continue
    const finished = new CachedResponse(readFileSync(path.join(clientFolder, file.name)), type)
    app.get(`/${file.name}`, (request, reply) =>
      sendCachedResponse(request, reply.header('cache-control', 'public, max-age=86400'), finished),
    )
  }
}
