import { parse as parseSearch } from 'fast-querystring'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '#contract/operations.ts'
import type { Caller, Guards } from '#server/features/authorization/guards.ts'
import { type CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import type { FastPath } from '#server/http/fast-path.ts'
import { publicAccess, serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { queryReader } from '#server/http/validation.ts'
import { type CatalogueQuery, queryKey, readCompletion, readFilter, readQuery } from './query.ts'
import type { CatalogueService } from './service.ts'

/** Public responses: caches may store them but must revalidate. */
const SHARED = { 'cache-control': 'public, no-cache' }

function sendShared(request: FastifyRequest, reply: FastifyReply, finished: CachedResponse): FastifyReply {
  return sendCachedResponse(request, reply.headers(SHARED), finished)
}

const canSeeHidden = (caller: Caller | undefined, authorId: number | undefined) =>
  caller !== undefined && authorId !== undefined && (caller.id === authorId || caller.isAdmin)

/** Serves lists to visitors on the fast path, which bypasses Fastify. */
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
  // Only the list of one author's scripts depends on the caller; other lists don't read the session.
  const forAuthors = (request: FastifyRequest) =>
    (request.query as Record<string, unknown>)['author'] ? guards.optionalMember(request) : undefined

  serve(app, 'GET /api/scripts', forAuthors, async ({ query, caller, request, reply }) => {
    const read = readQuery(query)
    const isWhole = canSeeHidden(caller, read.authorId)
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

interface ReadAddress {
  query: CatalogueQuery
  /** Equal for equivalent queries. */
  key: string
}

const MAX_ADDRESSES = 2048
const MAX_ADDRESS_LENGTH = 1000
const readSearch = queryReader(operations['GET /api/scripts'].query)

/** Parses list URLs and caches the results. */
export class ListAddresses {
  readonly #known = new Map<string, ReadAddress>()

  /** Throws AppError `invalid`. */
  read(url: string): ReadAddress {
    const known = this.#known.get(url)
    if (known) return known
    const mark = url.indexOf('?')
    const query = readQuery(readSearch(mark < 0 ? {} : parseSearch(url.slice(mark + 1))))
    const read = { query, key: queryKey(query) }
    if (url.length > MAX_ADDRESS_LENGTH) return read
    if (this.#known.size === MAX_ADDRESSES) this.#known.clear()
    this.#known.set(url, read)
    return read
  }
}
