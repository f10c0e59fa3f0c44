// The sitemap: an index, and compressed files of scripts, authors and games by ranges of ids, of tags and of pages.
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { CatalogueService } from '#server/features/catalogue/service.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { isActive } from '#server/features/members/standing.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { ChangeTimes } from '#server/platform/http/change-times.ts'
import { SingleFlight } from '#server/platform/http/response-cache.ts'
import { element, textElement, XML_DECLARATION } from '#server/platform/http/xml.ts'

export interface SitemapOptions {
  /** May be a second behind. */
  reads: Database
  catalogue: Pick<CatalogueService, 'version' | 'findTags'>
  /** Without a trailing slash. */
  publicUrl: string
}

/** URLs in one file, the limit of the protocol (https://www.sitemaps.org/protocol.html). A file has a range of that many ids. */
export const MAX_URLS = 50_000
/** Rows that are read and written in one turn of the event loop: a few milliseconds. */
const CHUNK = 1000
const CACHE_BYTES = 64 * 1024 * 1024
/** New URLs appear after this time. */
const MAX_AGE_MS = 10 * 60_000
/** URLs of what is no longer public disappear after this time. */
const CHECK_AFTER_MS = 2000
/** Files are made one after another, so a request may wait for several. */
const MAX_WAIT_MS = 25_000

const PAGES = ['/', '/popular', '/showcases', '/giveaways', '/behavior', '/api/docs', '/rules', '/privacy', '/terms']
const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

const KINDS = ['scripts', 'authors', 'games'] as const
type Kind = (typeof KINDS)[number]
const MAX_ID = 2 ** 31 - 1
const MAX_PART = Math.ceil(MAX_ID / MAX_URLS)
const lastOf = (first: number) => Math.min(first + MAX_URLS - 1, MAX_ID)

interface Part {
  kind: Kind
  first: number
}

interface File {
  response: CachedResponse
  madeAt: number
  checkedAt: number
  version: number
  /** Highest id, and the hash of all ids. */
  lastId: number
  idHash: string
}

interface Row {
  id: number
  path: string
  updated_at: Date
}

export class Sitemap {
  readonly #options: SitemapOptions
  readonly #files = new LRUCache<string, File>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ response }) => response.bytes,
  })
  readonly #flights = new SingleFlight<CachedResponse | undefined>()
  readonly #times = new ChangeTimes()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: SitemapOptions) {
    this.#options = options
  }

  getNow(name: string): CachedResponse | undefined {
    const file = this.#files.get(name)
    if (!file) return undefined
    const isChecked = file.version === this.#options.catalogue.version || Date.now() - file.checkedAt < CHECK_AFTER_MS
    return isChecked && Date.now() - file.madeAt < MAX_AGE_MS ? file.response : undefined
  }

  /**
   * A file by its name, `index`, `pages`, `tags`, `scripts-1`, `authors-1` or `games-1`; undefined if it has no URLs. An old file is
   * returned while a new one is made, unless something in it is no longer public.
   */
  get(name: string): Promise<CachedResponse | undefined> {
    return this.#flights.run(name, () => this.#get(name), MAX_WAIT_MS)
  }

  async #get(name: string): Promise<CachedResponse | undefined> {
    const version = this.#options.catalogue.version
    const file = this.#files.get(name)
    const part = readPart(name)
    if (!file || (part && (await this.#hashIds(part, file.lastId)) !== file.idHash)) return this.#make(name, version)
    file.version = version
    file.checkedAt = Date.now()
    if (Date.now() - file.madeAt >= MAX_AGE_MS) {
      file.madeAt = Date.now()
      // If it fails, the next one is made after the same time.
      void this.#make(name, version).catch(() => undefined)
    }
    return file.response
  }

  #make(name: string, version: number): Promise<CachedResponse | undefined> {
    const making = this.#queue.then(() => this.#write(name, version))
    this.#queue = making.catch(() => undefined)
    return making
  }

  async #write(name: string, version: number): Promise<CachedResponse | undefined> {
    const now = Date.now()
    const part = readPart(name)
    const written = part ? await this.#writePart(part) : await this.#writeOther(name)
    if (!written) {
      this.#files.delete(name)
      return undefined
    }
    const response = this.#times.stamp(name, written.response)
    this.#files.set(name, { ...written, response, madeAt: now, checkedAt: now, version })
    return response
  }

  async #writeOther(name: string): Promise<Pick<File, 'response' | 'lastId' | 'idHash'> | undefined> {
    const constant = { lastId: 0, idHash: '' }
    const { publicUrl, catalogue } = this.#options
    if (name === 'index') {
      return { ...constant, response: new CachedResponse(await this.#writeIndex(), 'application/xml; charset=utf-8') }
    }
    if (name === 'pages') return { ...constant, response: await compress(PAGES.map((path) => toUrl(publicUrl + path))) }
    if (name !== 'tags') return undefined
    const tags = await catalogue.findTags(MAX_URLS)
    const urls = tags.map((tag) => toUrl(`${publicUrl}/?${new URLSearchParams({ tags: tag.name })}`))
    return urls.length > 0 ? { ...constant, response: await compress(urls) } : undefined
  }

  async #writeIndex(): Promise<string> {
    const { reads, publicUrl } = this.#options
    const find = (kind: Kind) =>
      sql<{ part: number; updated_at: Date }>`select (id - 1) / ${sql.lit(MAX_URLS)} + 1 as part,
          max(updated_at) as updated_at from (${SELECT[kind]} where ${CONDITION[kind]}) listed
        group by part order by part`.execute(reads)
    const [tags, ...kinds] = await Promise.all([
      sql`select from script_tags limit 1`.execute(reads),
      ...KINDS.map(find),
    ])
    const parts = [
      { name: 'pages' },
      ...(tags.rows.length > 0 ? [{ name: 'tags' }] : []),
      ...KINDS.flatMap((kind, i) =>
        (kinds[i]?.rows ?? []).map(({ part, updated_at }) => ({ name: `${kind}-${part}`, updated_at })),
      ),
    ]
    const entries = parts.map(({ name, ...part }) => {
      const url = textElement('loc', `${publicUrl}/sitemap/${name}.xml.gz`)
      const updated = 'updated_at' in part ? textElement('lastmod', part.updated_at.toISOString()) : ''
      return element('sitemap', {}, url + updated)
    })
    return `${XML_DECLARATION}${element('sitemapindex', NAMESPACE, `\n${entries.join('\n')}\n`)}\n`
  }

  async #writePart(part: Part): Promise<Pick<File, 'response' | 'lastId' | 'idHash'> | undefined> {
    const ids = new IdHash()
    const response = await compress(this.#readChunks(part, ids))
    return ids.last === 0 ? undefined : { response, lastId: ids.last, idHash: ids.toString() }
  }

  async *#readChunks({ kind, first }: Part, ids: IdHash): AsyncGenerator<string> {
    const { reads, publicUrl } = this.#options
    const last = lastOf(first)
    for (let next = first; next <= last;) {
      const { rows } = await sql<Omit<Row, 'path'> & { name: string }>`${SELECT[kind]}
        where ${CONDITION[kind]} and ${ID[kind]} between ${next} and ${last}
        order by ${ID[kind]} limit ${CHUNK}`.execute(reads)
      const newest = rows.at(-1)
      if (!newest) return
      for (const { id } of rows) ids.add(id)
      yield rows.map((row) => toUrl(publicUrl + PATHS[kind](row), row.updated_at)).join('')
      next = newest.id + 1
    }
  }

  /** The `IdHash` of the ids of a part that are public now, without new ones. */
  async #hashIds({ kind, first }: Part, lastId: number): Promise<string> {
    const listed = sql`${SELECT_IDS[kind]} and ${ID[kind]} between ${first} and ${lastId}`
    const { rows } = await sql<{ hash: string }>`
      select count(*) || ' ' || coalesce(sum(id), 0) || ' ' || coalesce(sum(id::numeric * id), 0) as hash
      from (${listed}) listed`.execute(this.#options.reads)
    return rows[0]?.hash ?? ''
  }
}

/** Number, sum and sum of squares of ids. When one disappears, the number changes. */
class IdHash {
  last = 0
  #count = 0
  #sum = 0
  #squares = 0n

  add(id: number): void {
    this.last = id
    this.#count++
    this.#sum += id
    this.#squares += BigInt(id) ** 2n
  }

  toString(): string {
    return `${this.#count} ${this.#sum} ${this.#squares}`
  }
}

const isPublicAuthor = sql`not m.is_private and ${isActive('m')}`
const SELECT = {
  scripts: sql`select s.id, s.title as name, s.updated_at from scripts s join members m on m.id = s.author_id`,
  // Not grouped after a join, for which PostgreSQL reads the scripts of all authors before the first one of the chunk.
  authors: sql`select m.id, m.slug as name, newest.updated_at from members m cross join lateral
    (select max(s.updated_at) as updated_at from scripts s where s.author_id = m.id and s.is_public and not s.is_unlisted) newest`,
  games: sql`select g.id, g.game_id as name, newest.updated_at from games g cross join lateral
    (select max(s.updated_at) as updated_at from scripts s where s.game_id = g.game_id and ${isListed('s')}) newest`,
}
const CONDITION = {
  scripts: isListed('s', 'm'),
  authors: sql`${isPublicAuthor} and newest.updated_at is not null`,
  games: sql`newest.updated_at is not null`,
}
const SELECT_IDS = {
  scripts: sql`select s.id from scripts s join members m on m.id = s.author_id where ${isListed('s', 'm')}`,
  authors: sql`select m.id from members m
    where ${isPublicAuthor} and exists (select from scripts s where s.author_id = m.id and s.is_public
      and not s.is_unlisted)`,
  games: sql`select g.id from games g
    where exists (select from scripts s where s.game_id = g.game_id and ${isListed('s')})`,
}
const ID = { scripts: sql.ref('s.id'), authors: sql.ref('m.id'), games: sql.ref('g.id') }

const PATHS: Record<Kind, (row: { id: number; name: string }) => string> = {
  scripts: ({ id, name }) => `/scripts/${encodeURIComponent(scriptSlug(name, id))}`,
  authors: ({ name }) => `/profile/${encodeURIComponent(name)}`,
  games: ({ name }) => `/games/${name}`,
}

function readPart(name: string): Part | undefined {
  const [, prefix, digits] = /^([a-z]+)-([1-9]\d{0,4})$/.exec(name) ?? []
  const number = Number(digits)
  const kind = KINDS.find((each) => each === prefix)
  return kind && number <= MAX_PART ? { kind, first: (number - 1) * MAX_URLS + 1 } : undefined
}

const toUrl = (url: string, updated?: Date): string =>
  `${element('url', {}, textElement('loc', url) + (updated ? textElement('lastmod', updated.toISOString()) : ''))}\n`

/** A compressed sitemap of these URLs. zlib works in other threads. */
async function compress(chunks: AsyncIterable<string> | Iterable<string>): Promise<CachedResponse> {
  const gzip = createGzip()
  const parts: Buffer[] = []
  const reading = (async () => {
    for await (const part of gzip) parts.push(part as Buffer)
  })()
  const write = async (text: string) => {
    if (!gzip.write(text)) await new Promise((resolve) => gzip.once('drain', resolve))
  }
  try {
    await write(`${XML_DECLARATION}<urlset xmlns="${NAMESPACE.xmlns}">\n`)
    for await (const chunk of chunks) await write(chunk)
    gzip.end('</urlset>\n')
  } catch (error) {
    gzip.destroy(error as Error)
    await reading.catch(() => undefined)
    throw error
  }
  await reading
  return new CachedResponse(Buffer.concat(parts), 'application/gzip')
}
