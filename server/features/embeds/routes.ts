import { cleanLine } from '@scriptyard/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parse as parseSearch } from 'fast-querystring'
import type { OEmbed } from '#contract/embeds.ts'
import { BADGE_METRICS, type BadgeMetric, EMBED_SIZE } from '#contract/limits.ts'
import type { QueryOf } from '#contract/operations.ts'
import { operations } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import type { FastPath } from '#server/platform/http/fast-path.ts'
import { notFound } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import { MAX_STALE_MS, ResponseCache } from '#server/platform/http/response-cache.ts'
import type { App } from '#server/platform/http/app.ts'
import { UrlCache } from '#server/platform/http/url-cache.ts'
import { queryReader } from '#server/platform/http/validation.ts'
import { element, textElement, XML_DECLARATION } from '#server/platform/http/xml.ts'
import { type BadgeStyle, drawBadge, MAX_LABEL_LENGTH } from './badge.ts'
import { EMBED_POLICY, type EmbedTheme, writeEmbed } from './embed-page.ts'
import { findFacts, type Facts } from './facts.ts'

export interface EmbedsOptions {
  /** May be a second behind. */
  reads: Database
  siteName: () => string
  /** Without a trailing slash. */
  publicUrl: string
  /** Rises whenever something changes on the site. */
  version: () => number
}

const CACHE_BYTES = 16 * 1024 * 1024
/** The votes of the last week change with time, without a write. */
const MAX_AGE_MS = 60_000
const CACHE_SECONDS = 300

const OTHER_SITES = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const BADGE_HEADERS = { ...OTHER_SITES, 'cache-control': `public, max-age=${CACHE_SECONDS}` }
const EMBED_HEADERS = {
  'cache-control': 'public, no-cache',
  'content-security-policy': EMBED_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-robots-tag': 'noindex',
}

interface EmbedRequest {
  /** Equal for equivalent URLs. */
  key: string
  slug: string
  write: (facts: Facts) => CachedResponse
}

export function registerEmbeds(app: App, fastPath: FastPath, options: EmbedsOptions): void {
  const { reads, version } = options
  const responses = new ResponseCache(CACHE_BYTES, MAX_STALE_MS, MAX_AGE_MS)
  const load = ({ key, slug, write }: EmbedRequest) =>
    responses.getOrCreate(key, version(), async () => {
      const facts = await findFacts(reads, slug)
      if (!facts) throw notFound('This script')
      return write(facts)
    })
  const find = (requested: EmbedRequest | undefined) =>
    requested && (() => responses.get(requested.key, version()) ?? load(requested))
  const send = async (
    requested: EmbedRequest | undefined,
    headers: Record<string, string>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    if (!requested) throw notFound('This script')
    const response = await load(requested)
    return sendCachedResponse(request, reply.headers(headers), response)
  }

  for (const [prefix, headers, parse] of [
    ['/badge/', BADGE_HEADERS, parseBadge],
    ['/embed/', EMBED_HEADERS, (url: string) => parseEmbed(url, options)],
  ] as const) {
    app.get(`${prefix}*`, (request, reply) => send(parse(request.url), headers, request, reply))
    const urls = new UrlCache((_query, url) => ({ requested: parse(url) }))
    fastPath.addPrefix(prefix, { headers, find: (url) => find(urls.read(url).requested) })
  }

  const { query: oEmbedQuery, tolerant, cacheControl } = operations['GET /api/oembed']
  const readOEmbed = queryReader(oEmbedQuery, { tolerant })
  serve(app, 'GET /api/oembed', ({ query, request, reply }) =>
    send(parseOEmbed(query, options), OTHER_SITES, request, reply),
  )
  const urls = new UrlCache((query) => ({ requested: parseOEmbed(readOEmbed(query), options) }))
  fastPath.add('/api/oembed', {
    headers: { ...OTHER_SITES, 'cache-control': cacheControl },
    find: (url) => {
      try {
        return find(urls.read(url).requested)
      } catch {
        return undefined
      }
    },
  })
}

function split(url: string): { segments: string[]; query: Record<string, unknown> } | undefined {
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  try {
    const segments = path.split('/').slice(2).map(decodeURIComponent)
    return { segments, query: queryStart < 0 ? {} : parseSearch(url.slice(queryStart + 1)) }
  } catch {
    return undefined
  }
}

const BADGE_NAME = new RegExp(`^(${BADGE_METRICS.join('|')})\\.svg$`)

function parseBadge(url: string): EmbedRequest | undefined {
  const { segments = [], query = {} } = split(url) ?? {}
  const [slug = '', file = '', ...others] = segments
  const metric = BADGE_NAME.exec(file)?.[1] as BadgeMetric | undefined
  if (!metric || others.length > 0) return undefined
  const { label: raw, style: rawStyle } = query
  const style: BadgeStyle = rawStyle === 'square' ? 'square' : 'flat'
  const text = typeof raw === 'string' ? Array.from(cleanLine(raw)) : []
  const label = text.slice(0, MAX_LABEL_LENGTH).join('') || undefined
  return {
    key: JSON.stringify(['badge', idOf(slug), metric, style, label]),
    slug,
    write: (facts) => new CachedResponse(drawBadge(facts, metric, label, style), 'image/svg+xml; charset=utf-8'),
  }
}

/** The end of a slug, which alone identifies the script. */
const idOf = (slug: string) => slug.slice(slug.lastIndexOf('-')).slice(0, 16)

function parseEmbed(url: string, { siteName, publicUrl }: EmbedsOptions): EmbedRequest | undefined {
  const { segments = [], query = {} } = split(url) ?? {}
  const [slug = '', ...others] = segments
  if (others.length > 0) return undefined
  const { theme: raw } = query
  const theme: EmbedTheme = raw === 'dark' || raw === 'light' ? raw : 'auto'
  return {
    key: JSON.stringify(['embed', idOf(slug), theme]),
    slug,
    write: (facts) =>
      new CachedResponse(writeEmbed(facts, { siteName: siteName(), publicUrl, theme }), 'text/html; charset=utf-8'),
  }
}

const SCRIPT_PATH = /^\/(?:scripts|embed)\/([^/]+)\/?$/

function parseOEmbed(query: QueryOf<'GET /api/oembed'>, options: EmbedsOptions): EmbedRequest | undefined {
  const { publicUrl } = options
  const url = URL.parse(query.url)
  const encoded = url?.origin === new URL(publicUrl).origin ? SCRIPT_PATH.exec(url.pathname)?.[1] : undefined
  const slug = split(`/x/${encoded ?? ''}`)?.segments[0]
  if (!slug) return undefined
  const width = Math.min(EMBED_SIZE.width, query.maxwidth ?? EMBED_SIZE.width)
  const fitting = width <= EMBED_SIZE.narrowWidth ? EMBED_SIZE.narrowHeight : EMBED_SIZE.height
  const height = Math.min(fitting, query.maxheight ?? fitting)
  return {
    key: JSON.stringify(['oembed', idOf(slug), query.format, width, height]),
    slug,
    write: (facts) => {
      const embed = describeEmbed(facts, { ...options, width, height })
      return query.format === 'xml'
        ? new CachedResponse(toXml(embed), 'text/xml; charset=utf-8')
        : new CachedResponse(JSON.stringify(embed), 'application/json; charset=utf-8')
    },
  }
}

function describeEmbed(
  { card }: Facts,
  { siteName, publicUrl, width, height }: EmbedsOptions & { width: number; height: number },
): OEmbed {
  const slug = encodeURIComponent(card.slug)
  const frame = {
    src: `${publicUrl}/embed/${slug}`,
    title: `${card.title} · ${siteName()}`,
    width,
    height,
    frameborder: 0,
    loading: 'lazy',
  }
  return {
    version: '1.0',
    type: 'rich',
    title: card.title,
    author_name: card.author_name,
    author_url: `${publicUrl}/profile/${encodeURIComponent(card.author_slug)}`,
    provider_name: siteName(),
    provider_url: publicUrl,
    cache_age: CACHE_SECONDS,
    thumbnail_url: `${publicUrl}/social/${slug}.jpg`,
    thumbnail_width: 1200,
    thumbnail_height: 630,
    // HTML needs the end tag.
    html: element('iframe', frame, ' ').replace('> <', '><'),
    width,
    height,
  }
}

function toXml(embed: OEmbed): string {
  const parts = Object.entries(embed).map(([name, value]) => textElement(name, String(value)))
  return `${XML_DECLARATION}${element('oembed', {}, parts.join(''))}\n`
}
