import { parse as parseSearch } from 'fast-querystring'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '#contract/operations.ts'
import type { Caller, Guards } from '#server/features/authorization/guards.ts'
import { type CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import type { FastPath } from '#server/http/fast-path.ts'
import { ANYONE, publicAccess, serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { queryReader } from '#server/http/validation.ts'
import { type CatalogueQuery, queryKey, readCompletion, readFilter, readQuery } from './query.ts'
import type { CatalogueService } from './service.ts'

/** Public responses: caches may store them but must revalidate. */
const PUBLIC_HEADERS = { 'cache-control': 'public, no-cache' }

function sendPublic(request: FastifyRequest, reply: FastifyReply, response: CachedResponse): FastifyReply {
  return sendCachedResponse(request, reply.headers(PUBLIC_HEADERS), response)
}

const canSeeHidden = (caller: Caller | undefined, authorId: number | undefined) =>
  caller !== undefined && authorId !== undefined && (caller.id === authorId || caller.isAdmin)

/** Serves lists to visitors on the fast path, which bypasses Fastify. */
export function registerListFastPath(fastPath: FastPath, catalogue: CatalogueService): void {
  const urls = new ListUrlCache()
  fastPath.add('/api/scripts', {
    headers: PUBLIC_HEADERS,
    find: (url) => {
      try {
        const { query, key } = urls.read(url)
        return () => catalogue.listNow(query, key) ?? catalogue.list(query, key)
      } catch {
        return undefined
      }
    },
  })
}

export function registerCatalogue(app: App, catalogue: CatalogueService, guards: Guards): void {
  // Only the list of one author's scripts depends on the caller; other lists don't read the session.
  const findCaller = (request: FastifyRequest) =>
    (request.query as Record<string, unknown>)['author'] ? guards.optionalMember(request) : undefined
  const guardList = Object.assign(findCaller, { access: ANYONE })

  serve(app, 'GET /api/scripts', guardList, async ({ query, caller, request, reply }) => {
    const listQuery = readQuery(query)
    const withHidden = canSeeHidden(caller, listQuery.authorId)
    return sendPublic(
      request,
      reply,
      withHidden ? await catalogue.listWithHidden(listQuery) : await catalogue.list(listQuery),
    )
  })
  serve(app, 'GET /api/script-facets', publicAccess, async ({ query, request, reply }) =>
    sendPublic(request, reply, await catalogue.facets(readFilter(query))),
  )
  serve(app, 'GET /api/search-suggestions', publicAccess, async ({ query, request, reply }) =>
    sendPublic(request, reply, await catalogue.complete(readCompletion(query.q))),
  )
  serve(app, 'GET /api/related-scripts', publicAccess, async ({ query, request, reply }) =>
    sendPublic(request, reply, await catalogue.related(query.id)),
  )
  serve(app, 'GET /api/script-tags', publicAccess, async ({ request, reply }) =>
    sendPublic(request, reply, await catalogue.tags()),
  )
}

interface ParsedListUrl {
  query: CatalogueQuery
  /** Equal for equivalent queries. */
  key: string
}

const MAX_CACHED_URLS = 2048
const MAX_CACHED_URL_LENGTH = 1000
const readSearch = queryReader(operations['GET /api/scripts'].query)

/** Parses list URLs and caches the results. */
export class ListUrlCache {
  readonly #urls = new Map<string, ParsedListUrl>()

  /** Throws AppError `invalid`. */
  read(url: string): ParsedListUrl {
    const cached = this.#urls.get(url)
    if (cached) return cached
    const queryStart = url.indexOf('?')
    const query = readQuery(readSearch(queryStart < 0 ? {} : parseSearch(url.slice(queryStart + 1))))
    const parsed = { query, key: queryKey(query) }
    if (url.length > MAX_CACHED_URL_LENGTH) return parsed
    if (this.#urls.size === MAX_CACHED_URLS) this.#urls.clear()
    this.#urls.set(url, parsed)
    return parsed
  }
}
