import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { splitChangelog } from '#contract/script-fields.ts'
import { describeChange } from '#contract/behavior-changes.ts'
import type { BehaviorChange } from '#contract/behavior.ts'
import type { Card } from '#contract/catalogue.ts'
import { FEED_PATHS } from '#contract/feed-paths.ts'
import { ATOM_TYPE, FEED_LENGTH, type FeedQuery, JSON_FEED_TYPE } from '#contract/feeds.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Site } from '#contract/site.ts'
import { defaultSummary } from '#contract/summary.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listChanges } from '#server/features/behavior/read.ts'
import { findGameName } from '#server/features/catalogue/games.ts'
import { type CatalogueQuery, queryKey, readFilter } from '#server/features/catalogue/query.ts'
import type { CatalogueService } from '#server/features/catalogue/service.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { isActive } from '#server/features/members/standing.ts'
import { findVersionRows, type VersionRow } from '#server/features/scripts/queries.ts'
import {
  describeWithdrawal,
  isEntry,
  isListedWithdrawal,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
} from '#server/features/scripts/withdrawals.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { ChangeTimes } from '#server/platform/http/change-times.ts'
import { notFound } from '#server/platform/http/errors.ts'
import { MAX_STALE_MS, ResponseCache } from '#server/platform/http/response-cache.ts'
import { formatTime } from '#server/platform/http/text.ts'
import { escapeXml } from '#server/platform/http/xml.ts'
import { markdownToHtml } from './markdown-html.ts'
import { type Feed, type FeedAuthor, type FeedEntry, toAtom, toJsonFeed } from './serialize.ts'

export type FeedFormat = 'atom' | 'json'

export interface FeedsOptions {
  /** May be a second behind. */
  reads: Database
  catalogue: CatalogueService
  /** The giveaways that visitors see; injected, because the feeds must not depend on their prizes. */
  listGiveaways: () => Promise<Giveaway[]>
  site: () => Site
  /** Without a trailing slash. */
  publicUrl: string
}

export interface FeedRequest {
  format: FeedFormat
  /** Equal for equivalent requests. */
  key: string
  load: () => Promise<Feed>
  /** Path and query without the format's extension. */
  path: string
  query: string
}

const CACHE_BYTES = 32 * 1024 * 1024
/** Behavior cards of former versions, which versions are compared with, are not in the change feed. */
const MAX_AGE_MS = 60_000
const HTML_CACHE_CHARACTERS = 8 * 1024 * 1024

export class Feeds {
  readonly #options: FeedsOptions
  readonly #responses = new ResponseCache(CACHE_BYTES, MAX_STALE_MS, MAX_AGE_MS)
  readonly #times = new ChangeTimes()
  /** Descriptions as HTML, by script and the time of its last change. */
  readonly #html = new LRUCache<string, string>({
    maxSize: HTML_CACHE_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length,
  })

  constructor(options: FeedsOptions) {
    this.#options = options
  }

  getNow({ key }: FeedRequest): CachedResponse | undefined {
    return this.#responses.get(key, this.#options.catalogue.version)
  }

  /** Throws AppError `not_found` or `script_not_found`. */
  get({ key, format, load, path, query }: FeedRequest): Promise<CachedResponse> {
    return this.#responses.getOrCreate(key, this.#options.catalogue.version, async () => {
      const feed = await load()
      const urlOf = (extension: FeedFormat) => `${this.#options.publicUrl}${path}.${extension}${query && `?${query}`}`
      const response =
        format === 'atom'
          ? new CachedResponse(toAtom(feed, urlOf('atom'), urlOf('json')), ATOM_TYPE)
          : new CachedResponse(toJsonFeed(feed, urlOf('json')), JSON_FEED_TYPE)
      return this.#times.stamp(key, response)
    })
  }

  /** Throws AppError `invalid` for a query that the list rejects, too. */
  scripts(parameters: FeedQuery, format: FeedFormat): FeedRequest {
    const query = {
      ...readFilter(parameters),
      sort: parameters.sort,
      order: parameters.order,
      page: 1,
      limit: FEED_LENGTH,
    }
    const text = writeQuery(parameters)
    return {
      format,
      // The title has the words as they were typed.
      key: `${format} scripts ${text} ${queryKey(query)}`,
      path: FEED_PATHS.scripts,
      query: text,
      load: () => this.#loadScripts(parameters, query, text),
    }
  }

  versions(id: number, format: FeedFormat): FeedRequest {
    const load = () => this.#loadVersions(id)
    return { format, key: `${format} versions ${id}`, path: FEED_PATHS.versions, query: `id=${id}`, load }
  }

  withdrawn(format: FeedFormat): FeedRequest {
    return {
      format,
      key: `${format} withdrawn`,
      path: FEED_PATHS.withdrawn,
      query: '',
      load: () => this.#loadWithdrawn(),
    }
  }

  giveaways(format: FeedFormat): FeedRequest {
    return {
      format,
      key: `${format} giveaways`,
      path: FEED_PATHS.giveaways,
      query: '',
      load: () => this.#loadGiveaways(),
    }
  }

  async #loadScripts(parameters: FeedQuery, query: CatalogueQuery, text: string): Promise<Feed> {
    const author = query.authorId === undefined ? undefined : await this.#getAuthor(query.authorId)
    const game = query.gameId === undefined ? undefined : await this.#nameGame(query.gameId)
    const cards = await this.#options.catalogue.cards(query)
    const html = await this.#describe(cards)
    const subject = describeQuery(parameters, { author: author?.name, game })
    return this.#makeFeed({
      title: subject,
      description: `${subject} on ${this.#options.site().name}.`,
      homeUrl: author ? `${author.url}?tab=scripts` : this.#homeOf(parameters, text),
      ...(author ? { author } : {}),
      entries: cards.flatMap((card) => {
        const description = html.get(card.id)
        return description === undefined ? [] : [this.#toEntry(card, description)]
      }),
    })
  }

  #homeOf({ sort, game }: FeedQuery, text: string): string {
    const { publicUrl } = this.#options
    if (game !== undefined) return `${publicUrl}/games/${game}`
    return text === 'sort=trending' ? `${publicUrl}/popular?sort=${sort}` : `${publicUrl}/${text && `?${text}`}`
  }

  #makeFeed(feed: Omit<Feed, 'author' | 'iconUrl'> & { author?: FeedAuthor }): Feed {
    const { publicUrl } = this.#options
    const { name, look } = this.#options.site()
    return {
      author: { name, url: publicUrl },
      iconUrl: `${publicUrl}${look.icons ?? '/icon-'}192.png`,
      ...feed,
      title: `${feed.title} · ${name}`,
    }
  }

  async #nameGame(gameId: string): Promise<string> {
    return (await findGameName(this.#options.reads, gameId)) ?? `game ${gameId}`
  }

  async #getAuthor(id: number): Promise<FeedAuthor> {
    const { rows } = await sql<{ slug: string; username: string; display_name: string | null }>`
      select m.slug, m.username, m.display_name from members m
      where m.id = ${id} and not m.is_private and ${isActive('m')}`.execute(this.#options.reads)
    const [member] = rows
    if (!member) throw notFound('This member')
    return { name: displayNameOf(member), url: this.#profileUrl(member.slug) }
  }

  #profileUrl = (slug: string) => `${this.#options.publicUrl}/profile/${encodeURIComponent(slug)}`
  #scriptUrl = (slug: string) => `${this.#options.publicUrl}/scripts/${encodeURIComponent(slug)}`
  /** Redirects to the script's page, whatever its title is. */
  #permanentUrl = (id: number) => `${this.#options.publicUrl}/scripts/script-${id}`
  #absolute = (path: string) => (path === '' ? undefined : URL.parse(path, this.#options.publicUrl)?.href)

  /** The descriptions of these scripts as HTML by id, without those that are no longer public. */
  async #describe(cards: readonly Card[]): Promise<Map<number, string>> {
    const descriptions = new Map<number, string>()
    const missing: number[] = []
    for (const { id, updated_at } of cards) {
      const html = this.#html.get(htmlKey(id, updated_at))
      if (html === undefined) missing.push(id)
      else descriptions.set(id, html)
    }
    if (missing.length === 0) return descriptions
    const rows = await this.#findTexts(sql`s.id = any(${missing}::int[])`)
    for (const { id, description, updated_at } of rows) {
      const html = markdownToHtml(description)
      this.#html.set(htmlKey(id, updated_at.toISOString()), html)
      descriptions.set(id, html)
    }
    return descriptions
  }

  async #findTexts(condition: RawBuilder<unknown>): Promise<{ id: number; description: string; updated_at: Date }[]> {
    const { rows } = await sql<{ id: number; description: string; updated_at: Date }>`
      select s.id, s.description, s.updated_at from scripts s join members m on m.id = s.author_id
      where ${condition} and ${isListed('s', 'm')}`.execute(this.#options.reads)
    return rows
  }

  #toEntry(card: Card, html: string): FeedEntry {
    const image = this.#absolute(card.image)
    const avatar = this.#absolute(card.author_avatar)
    return {
      id: this.#permanentUrl(card.id),
      url: this.#scriptUrl(card.slug),
      title: card.title,
      summary: card.summary,
      html,
      published: new Date(card.created_at),
      updated: new Date(card.updated_at),
      author: { name: card.author_name, url: this.#profileUrl(card.author_slug), ...(avatar ? { avatar } : {}) },
      tags: card.tags.map(({ name }) => name),
      ...(image ? { image } : {}),
    }
  }

  async #loadVersions(id: number): Promise<Feed> {
    const { reads } = this.#options
    const [script, versions] = await Promise.all([
      this.#findScript(id),
      findVersionRows(reads, id, undefined).then((rows) => rows.slice(0, FEED_LENGTH)),
    ])
    if (!script || versions.length === 0) throw scriptNotFound()
    const changes = new Map((await listChanges(reads, id, undefined)).map((change) => [change.number, change]))
    const url = this.#scriptUrl(scriptSlug(script.title, id))
    return this.#makeFeed({
      title: `Versions of ${script.title}`,
      description: `Changes in ${script.title} and in what its code does.`,
      homeUrl: `${url}#versions`,
      author: { name: displayNameOf(script), url: this.#profileUrl(script.slug) },
      entries: versions.map(({ created_at, ...version }) => ({
        id: `${this.#permanentUrl(id)}#version-${version.number}`,
        url: `${url}#versions`,
        title: `${script.title} ${version.version}`,
        html: describeVersion(version, changes.get(version.number)),
        published: created_at,
        updated: version.withdrawn ? version.state_since : created_at,
      })),
    })
  }

  async #findScript(
    id: number,
  ): Promise<{ title: string; slug: string; username: string; display_name: string | null } | undefined> {
    const { rows } = await sql<{ title: string; slug: string; username: string; display_name: string | null }>`
      select s.title, m.slug, m.username, m.display_name from scripts s join members m on m.id = s.author_id
      where s.id = ${id} and ${isListed('s', 'm')}`.execute(this.#options.reads)
    return rows[0]
  }

  async #loadWithdrawn(): Promise<Feed> {
    const { site, publicUrl, reads } = this.#options
    const { rows } = await sql<WithdrawalRow & { script_id: number }>`select ${WITHDRAWAL_COLUMNS}, w.script_id
      from withdrawals w where ${isEntry} and ${isListedWithdrawal}
        and w.reinstated_at is null order by w.id desc limit ${FEED_LENGTH}`.execute(reads)
    return this.#makeFeed({
      title: 'Withdrawn versions',
      description: `Code on ${site().name} that was withdrawn, with the reasons.`,
      homeUrl: `${publicUrl}/`,
      entries: rows.map((row) => ({
        id: `${this.#permanentUrl(row.script_id)}#withdrawn-${row.id}`,
        url: this.#scriptUrl(row.slug),
        title: `${row.slug} ${row.version}`,
        html: `<p>${escapeXml(describeWithdrawal(row))}</p><p>SHA-256: ${row.sha256}</p>`,
        published: row.withdrawn_at,
        updated: row.withdrawn_at,
      })),
    })
  }

  async #loadGiveaways(): Promise<Feed> {
    const { site, publicUrl, listGiveaways } = this.#options
    const giveaways = await listGiveaways()
    return this.#makeFeed({
      title: 'Giveaways',
      description: `The giveaways on ${site().name}, with their prizes and end dates.`,
      homeUrl: `${publicUrl}/giveaways`,
      entries: giveaways.slice(0, FEED_LENGTH).map((giveaway) => ({
        id: `${publicUrl}/giveaways/${giveaway.id}/draw`,
        url: `${publicUrl}/giveaways`,
        title: giveaway.title,
        ...(giveaway.description.trim() === '' ? {} : { summary: defaultSummary(giveaway.description) }),
        html: describeGiveaway(giveaway),
        published: new Date(giveaway.created_at),
        updated: new Date(giveaway.drawn_at ?? giveaway.created_at),
      })),
    })
  }
}

const htmlKey = (id: number, updatedAt: string) => `${id} ${updatedAt}`

/** The query string of a list's parameters that differ from the default, in the order of the contract. */
function writeQuery({ sort, order, ...filters }: FeedQuery): string {
  const written = { ...filters, ...(sort === 'created_at' ? {} : { sort }), ...(order === 'desc' ? {} : { order }) }
  return new URLSearchParams(Object.entries(written).map(([name, value]) => [name, String(value)])).toString()
}

/** Describes a list for the title of its feed: `Scripts by Ada: “esp”, #ui, free only`. */
function describeQuery(
  { sort, order: _order, author: _author, game: _game, ...filters }: FeedQuery,
  { author, game }: { author: string | undefined; game: string | undefined },
): string {
  const { search, tags = '', ...others } = filters
  const filtered = [
    ...(search ? [`“${search.trim()}”`] : []),
    ...tags.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [`#${tag.trim()}`])),
    ...Object.entries(others).flatMap(([name, value]) => {
      if (value === 'false') return []
      return [value === 'true' ? name.replaceAll('_', ' ') : `${name.replaceAll('_', ' ')} ${value}`]
    }),
  ]
  const kind = sort === 'trending' ? 'Trending scripts' : sort === 'created_at' ? 'New scripts' : 'Scripts'
  const made = `${author === undefined ? '' : ` by ${author}`}${game === undefined ? '' : ` for ${game}`}`
  return `${kind}${made}${filtered.length > 0 ? `: ${filtered.join(', ')}` : ''}`
}

function describeVersion(
  { changelog, withdrawn }: Pick<VersionRow, 'changelog' | 'withdrawn'>,
  change: BehaviorChange | undefined,
): string {
  if (withdrawn) return `<p>This version was withdrawn: ${escapeXml(withdrawn.reason)}</p>`
  const sentences = change ? describeChange(change) : []
  const text = sentences.length > 0 ? `<p>This update ${sentences.map(escapeXml).join('. It ')}.</p>` : ''
  const html = (changelog ? markdownToHtml(splitChangelog(changelog).subject) : '') + text
  return html || '<p>No notes on this version.</p>'
}

function describeGiveaway({ description, prize_description, end_date, winner_count, drawn_at }: Giveaway): string {
  const facts = [
    ...(prize_description.trim() === '' ? [] : [`Prize: ${prize_description.trim()}`]),
    winner_count === 1 ? 'One winner' : `${winner_count} winners`,
    drawn_at === null ? `Ends on ${formatTime(new Date(end_date))}` : 'The winners are drawn',
  ]
  return `${markdownToHtml(description)}<ul>${facts.map((fact) => `<li>${escapeXml(fact)}</li>`).join('')}</ul>`
}
