import type { FastifyReply, FastifyRequest } from 'fastify'
import { FEED_PATHS } from '#contract/feed-paths.ts'
import { operations } from '#contract/operations.ts'
import { type CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import type { FastPath } from '#server/platform/http/fast-path.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { UrlCache } from '#server/platform/http/url-cache.ts'
import { queryReader } from '#server/platform/http/validation.ts'
import { type FeedFormat, type FeedRequest, Feeds, type FeedsOptions } from './feeds.ts'

/** Readers in other websites may load feeds, too. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

const FORMATS: readonly FeedFormat[] = ['atom', 'json']

export function registerFeeds(app: App, fastPath: FastPath, options: FeedsOptions): void {
  const feeds = new Feeds(options)
  const send = async (feed: FeedRequest, request: FastifyRequest, reply: FastifyReply) => {
    const response = await feeds.get(feed)
    return sendCachedResponse(request, reply.headers(HEADERS), response)
  }

  for (const format of FORMATS) {
    serve(app, `GET ${FEED_PATHS.scripts}.${format}`, ({ query, request, reply }) =>
      send(feeds.scripts(query, format), request, reply),
    )
    serve(app, `GET ${FEED_PATHS.versions}.${format}`, ({ query, request, reply }) =>
      send(feeds.versions(query.id, format), request, reply),
    )
    serve(app, `GET ${FEED_PATHS.giveaways}.${format}`, ({ request, reply }) =>
      send(feeds.giveaways(format), request, reply),
    )
    addFastRoutes(fastPath, feeds, format)
  }
}

const { tolerant, cacheControl } = operations['GET /feeds/scripts.atom']
const readScriptsQuery = queryReader(operations['GET /feeds/scripts.atom'].query, { tolerant })
const readVersionsQuery = queryReader(operations['GET /feeds/versions.atom'].query, { tolerant })

function addFastRoutes(fastPath: FastPath, feeds: Feeds, format: FeedFormat): void {
  const parsers: Record<string, (query: Record<string, unknown>) => FeedRequest> = {
    [FEED_PATHS.scripts]: (query) => feeds.scripts(readScriptsQuery(query), format),
    [FEED_PATHS.versions]: (query) => feeds.versions(readVersionsQuery(query).id, format),
    [FEED_PATHS.giveaways]: () => feeds.giveaways(format),
  }
  for (const [path, parse] of Object.entries(parsers)) {
    const urls = new UrlCache(parse)
    fastPath.add(`${path}.${format}`, {
      headers: { ...HEADERS, 'cache-control': cacheControl },
      find: (url) => {
        try {
          const feed = urls.read(url)
          return (): CachedResponse | Promise<CachedResponse> => feeds.getNow(feed) ?? feeds.get(feed)
        } catch {
          return undefined
        }
      },
    })
  }
}
