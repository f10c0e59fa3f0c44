import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import type { Caller, Guards } from '#server/features/authorization/guards.ts'
import { serve, publicAccess } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import type { FastPath } from '#server/http/fast-path.ts'
import { ListAddresses } from './list-addresses.ts'
import { readCompletion, readFilter, readQuery } from './query.ts'
import type { CatalogueService } from './service.ts'

/** The same for everybody: browsers and caches may keep it but ask before each use. */
const SHARED = { 'cache-control': 'public, no-cache' }

function sendShared(request: FastifyRequest, reply: FastifyReply, finished: CachedResponse): FastifyReply {
  return sendCachedResponse(request, reply.headers(SHARED), finished)
}

const mayKnowAll = (caller: Caller | undefined, authorId: number | undefined) =>
  caller !== undefined && authorId !== undefined && (caller.id === authorId || caller.isAdmin)

/** Lists that a visitor asks for, without the framework in between. */
export function shortenLists(fastPath: FastPath, catalogue: CatalogueService): void {
  const addresses = new ListAddresses()
  fastPath.add('/api/scripts', {
    headers: SHARED,
    find: (url) => {
      try {
        const { query, key } = addresses.read(url)
        return () => catalogue.listNow(query, key) ?? catalogue.list(query, key)
      } catch {
        return undefined
      }
    },
  })
}

export function registerCatalogue(app: App, catalogue: CatalogueService, guards: Guards): void {
  // Only a list of one author's scripts differs by who asks; all others go without a look at the session.
  const forAuthors = (request: FastifyRequest) =>
    (request.query as Record<string, unknown>)['author'] ? guards.optionalMember(request) : undefined

  serve(app, 'GET /api/scripts', forAuthors, async ({ query, caller, request, reply }) => {
    const read = readQuery(query)
    const isWhole = mayKnowAll(caller, read.authorId)
    return sendShared(request, reply, isWhole ? await catalogue.listWithHidden(read) : await catalogue.list(read))
  })
  serve(app, 'GET /api/script-facets', publicAccess, async ({ query, request, reply }) =>
    sendShared(request, reply, await catalogue.facets(readFilter(query))),
  )
  serve(app, 'GET /api/search-suggestions', publicAccess, async ({ query, request, reply }) =>
    sendShared(request, reply, await catalogue.complete(readCompletion(query.q))),
  )
  serve(app, 'GET /api/script-tags', publicAccess, async ({ request, reply }) =>
    sendShared(request, reply, await catalogue.tags()),
  )
}
