import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Finished, sendFinished } from '#server/http/finished.ts'
import { visitor } from '#server/http/guards.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { readFilter, readQuery } from './query.ts'
import type { CatalogueService } from './service.ts'

/** The same for everybody: browsers and caches may keep it but ask before each use. */
function sendShared(request: FastifyRequest, reply: FastifyReply, finished: Finished): FastifyReply {
  return sendFinished(request, reply.header('cache-control', 'public, no-cache'), finished)
}

export function registerCatalogue(app: App, catalogue: CatalogueService): void {
  serve(app, 'GET /api/scripts', visitor, async ({ query, request, reply }) =>
    sendShared(request, reply, await catalogue.list(readQuery(query))),
  )
  serve(app, 'GET /api/script-facets', visitor, async ({ query, request, reply }) =>
    sendShared(request, reply, await catalogue.facets(readFilter(query))),
  )
  serve(app, 'GET /api/script-tags', visitor, async ({ request, reply }) =>
    sendShared(request, reply, await catalogue.tags()),
  )
}
