import { type Game, type SearchSuggestions, SUGGESTIONS_TYPE } from '#contract/catalogue.ts'
import { operations } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import type { FastPath } from '#server/platform/http/fast-path.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { UrlCache } from '#server/platform/http/url-cache.ts'
import { queryReader } from '#server/platform/http/validation.ts'
import { renameGame } from './games.ts'
import { type CatalogueQuery, queryKey, readCompletion, readFilter, readQuery } from './query.ts'
import type { CatalogueService } from './service.ts'

const { query: searchQuery, tolerant, cacheControl } = operations['GET /api/scripts']

/** Whether a list of this author's scripts includes those that others don't see. */
const canSeeHidden = (caller: Caller | undefined, authorId: number | undefined) =>
  caller !== undefined && authorId !== undefined && (caller.id === authorId || caller.isAdmin)

export function registerListFastPath(fastPath: FastPath, catalogue: CatalogueService): void {
  const urls = createListUrlCache()
  fastPath.add('/api/scripts', {
    headers: { 'cache-control': cacheControl },
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

export function registerCatalogue(app: App, db: Database, catalogue: CatalogueService): void {
  serve(app, 'GET /api/scripts', async ({ query, caller, request, reply }) => {
    const listQuery = readQuery(query)
    const withHidden = caller?.isAdmin === true || canSeeHidden(caller, listQuery.authorId)
    return sendCachedResponse(
      request,
      reply,
      withHidden ? await catalogue.listWithHidden(listQuery) : await catalogue.list(listQuery),
    )
  })
  serve(app, 'GET /api/v1/scripts', async ({ query, caller, request, reply }) => {
    const listQuery = readQuery(query)
    const withHidden = canSeeHidden(caller, listQuery.authorId)
    return sendCachedResponse(request, reply, await catalogue.listByCursor(listQuery, query.cursor, { withHidden }))
  })
  serve(app, 'GET /api/script-facets', async ({ query, request, reply }) =>
    sendCachedResponse(request, reply, await catalogue.facets(readFilter(query))),
  )
  serve(app, 'GET /api/search-suggestions', async ({ query, request, reply }) =>
    sendCachedResponse(request, reply, await catalogue.complete(readCompletion(query.q))),
  )
  serve(app, 'GET /api/opensearch-suggestions', async ({ query, request, reply }) => {
    const { body } = await catalogue.complete(readCompletion(query.q))
    const { titles, tags, games, authors } = JSON.parse(body.toString()) as SearchSuggestions
    const texts = [
      ...titles.map(({ title }) => title),
      ...tags.map(({ name }) => `#${name}`),
      ...games.map(({ name }) => name),
      ...authors.map(({ name }) => name),
    ]
    return sendCachedResponse(request, reply, new CachedResponse(JSON.stringify([query.q, texts]), SUGGESTIONS_TYPE))
  })
  serve(app, 'GET /api/related-scripts', async ({ query, request, reply }) =>
    sendCachedResponse(request, reply, await catalogue.related(query.id)),
  )
  serve(app, 'GET /api/game', async ({ query, request, reply }) =>
    sendCachedResponse(request, reply, await catalogue.game(query.id)),
  )
  serve(app, 'PUT /api/game', async ({ body, caller }) => {
    await renameGame(db, caller.id, body)
    const { body: json } = await catalogue.game(body.id)
    return JSON.parse(json.toString()) as { game: Game }
  })
  serve(app, 'GET /api/script-tags', async ({ request, reply }) =>
    sendCachedResponse(request, reply, await catalogue.tags()),
  )
}

interface ParsedListUrl {
  query: CatalogueQuery
  /** Equal for equivalent queries. */
  key: string
}

const readSearch = queryReader(searchQuery, { tolerant })

/** Parses list URLs. Throws AppError `invalid`. */
export const createListUrlCache = (): UrlCache<ParsedListUrl> =>
  new UrlCache((parameters) => {
    const query = readQuery(readSearch(parameters))
    return { query, key: queryKey(query) }
  })
