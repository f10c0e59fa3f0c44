import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { warningOf } from '#contract/behavior-warning.ts'
import type { Card, Tag } from '#contract/catalogue.ts'
import { CARD_DESCRIPTION_LENGTH } from '#contract/limits.ts'
import { scriptSlug } from '#contract/slug.ts'
import { defaultSummary } from '#contract/summary.ts'
import type { Database } from '#server/platform/db/database.ts'
import { mediaPath } from '#server/platform/media/store.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { CLOCK_MS, isUnavailable } from '#server/platform/http/response-cache.ts'
import { LRUCache } from 'lru-cache'

interface CardRow {
  id: number
  title: string
  summary: string | null
  description: string
  version: string
  image: string | null
  tags: Tag[]
  has_key_system: boolean
  key_system_url: string | null
  is_universal: boolean
  game_id: string | null
  game_name: string | null
  is_client_side: boolean
  is_free: boolean
  is_featured: boolean
  is_verified: boolean
  is_public: boolean
  is_unlisted: boolean
  is_mobile_compatible: boolean
  is_working: boolean
  file_size: number
  created_at: Date
  updated_at: Date
  showcase_date: Date | null
  showcase_video_url: string | null
  showcase_notes: string | null
  author_id: number
  username: string
  author_slug: string
  display_name: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  discriminator: string | null
  rating_average: number
  rating_count: number
  view_count: number
  download_count: number
  favorite_count: number
  found_capabilities: CapabilityId[] | null
  compiles: boolean | null
  declared_capabilities: CapabilityId[] | null
}

/** Rows of these scripts, in no particular order, without deleted ones. Doesn't check visibility. */
export async function findCardRows(db: Database, ids: readonly number[]): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select s.id, s.title, s.summary, s.description, s.version, s.image, s.has_key_system, s.key_system_url, s.is_universal,
      s.game_id, g.name as game_name, s.is_client_side, s.is_free, s.is_featured, s.is_verified, s.is_public, s.is_unlisted, s.is_mobile_compatible,
      s.is_working, s.file_size, s.created_at, s.updated_at, s.showcase_date, s.showcase_video_url, s.showcase_notes,
      s.author_id, m.username, m.slug as author_slug, m.display_name, ${publicAvatarColumns},
      case when not m.is_private then m.discriminator end as discriminator, st.rating_average, st.rating_count, st.view_count, st.download_count,
      st.favorite_count,
      b.capabilities as found_capabilities, b.compiles, v.declared_capabilities,
      coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by x.position)
        from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id), '[]') as tags
    from scripts s join script_stats st on st.script_id = s.id join members m on m.id = s.author_id
      left join script_versions v on v.script_id = s.id and v.number = s.current_version
      left join script_behaviors b on b.script_id = s.id and b.sha256 = v.sha256
      left join games g on g.game_id = s.game_id
    where s.id = any(${ids}::int[])`.execute(db)
  return rows
}

/** The first characters of a long description and an ellipsis. Doesn't split surrogate pairs. */
function excerpt(description: string): string {
  if (description.length <= CARD_DESCRIPTION_LENGTH) return description
  const characters = Array.from(description.slice(0, CARD_DESCRIPTION_LENGTH * 2)).slice(0, CARD_DESCRIPTION_LENGTH)
  return `${characters.join('')}…`
}

export function toCard(row: CardRow): Card {
  const { found_capabilities, compiles, declared_capabilities: declared, ...script } = row
  const { display_name, image, profile_image, created_at, updated_at, showcase_date, ...plain } = script
  return {
    ...plain,
    slug: scriptSlug(row.title, row.id),
    summary: row.summary ?? defaultSummary(row.description),
    description: excerpt(row.description),
    image: image ? mediaPath(image, 'full') : '',
    image_card: image ? mediaPath(image, 'card') : '',
    is_showcased: showcase_date !== null,
    author_name: displayNameOf({ display_name, username: row.username }),
    author_avatar: avatarUrl(row),
    profile_image: profile_image ? mediaPath(profile_image, 'card') : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    showcase_date: showcase_date?.toISOString() ?? null,
    warning: warningOf({ capabilities: found_capabilities ?? [], compiles, declared }),
  }
}

interface SerializedCard {
  json: Buffer
  /** Whether the script has changed since. Such a card is used only while the database is unavailable. */
  isStale?: boolean
  /** Hash of the bytes (66 bits). The ETag of a list is computed from these. */
  digest: string
}

/** Estimated memory of a cached card in addition to its JSON. */
const OVERHEAD_BYTES = 400

export function serializeCard(json: string): SerializedCard {
  // Not from the buffer pool: a cached slice would keep its whole pool block alive.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  bytes.write(json)
  return { json: bytes, digest: hash('sha1', bytes, 'base64url').slice(0, 11) }
}

export function createCardCache(maxBytes: number, maxAgeMs: number): LRUCache<number, SerializedCard> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.length + OVERHEAD_BYTES,
    ttl: maxAgeMs,
    ttlResolution: CLOCK_MS,
    // Read here instead of by the library at import, so that tests can replace it.
    perf: Date,
  })
}

const CARD_CACHE_BYTES = 64 * 1024 * 1024
const CARD_MAX_AGE_MS = 10 * 60 * 1000

/** Cards as JSON by script id, cached until a change of the script is committed or read from the change feed. */
export class Cards {
  readonly #db: Database
  readonly #cache = createCardCache(CARD_CACHE_BYTES, CARD_MAX_AGE_MS)
  /** Counts invalidations: a card that was loaded during one is not cached. */
  #invalidations = 0

  constructor(db: Database) {
    this.#db = db
  }

  invalidate(ids: Iterable<number>): void {
    this.#invalidations++
    for (const id of ids) {
      const card = this.#cache.peek(id)
      if (card) card.isStale = true
    }
  }

  invalidateAll(): void {
    this.#invalidations++
    for (const card of this.#cache.values()) card.isStale = true
  }

  /** The cards of these scripts in this order if all are cached. */
  findCached(ids: readonly number[]): SerializedCard[] | undefined {
    const cards: SerializedCard[] = []
    for (const id of ids) {
      const card = this.#findCurrent(id)
      if (!card) return undefined
      cards.push(card)
    }
    return cards
  }

  #findCurrent(id: number): SerializedCard | undefined {
    const card = this.#cache.get(id)
    return card?.isStale ? undefined : card
  }

  /** The cards of these scripts in this order. Deleted scripts are left out. */
  async find(ids: readonly number[]): Promise<SerializedCard[]> {
    const cached = ids.map((id) => this.#findCurrent(id))
    const missing = ids.filter((_id, i) => cached[i] === undefined)
    if (missing.length === 0) return cached.flatMap((card) => card ?? [])
    const loaded = await this.#load(missing).catch((error: Error) => this.#findStale(missing, error))
    return ids.flatMap((id, i) => cached[i] ?? loaded.get(id) ?? [])
  }

  /** The last known cards. Throws the error if it does not mean that the database is away, or if a card is not known. */
  #findStale(ids: readonly number[], error: Error): Map<number, SerializedCard> {
    const staleCards = new Map<number, SerializedCard>()
    for (const id of ids) {
      const card = this.#cache.peek(id)
      if (!card || !isUnavailable(error)) throw error
      staleCards.set(id, card)
    }
    return staleCards
  }

  async #load(ids: number[]): Promise<Map<number, SerializedCard>> {
    const before = this.#invalidations
    const loadedCards = new Map<number, SerializedCard>()
    for (const row of await findCardRows(this.#db, ids)) {
      const card = serializeCard(JSON.stringify(toCard(row)))
      loadedCards.set(row.id, card)
      if (before === this.#invalidations) this.#cache.set(row.id, card)
    }
    // Deleted scripts.
    for (const id of ids) if (!loadedCards.has(id)) this.#cache.delete(id)
    return loadedCards
  }
}

const HEAD = Buffer.from('{"scripts":[')
const COMMA = 44

/** Concatenates the JSON of cards to a list. `tail` is the JSON after the cards. */
export function serializeList(cards: readonly SerializedCard[], tail: string): CachedResponse {
  const end = Buffer.from(tail)
  let length = HEAD.length + Math.max(cards.length - 1, 0) + end.length
  let identity = tail
  for (const { json, digest } of cards) {
    length += json.length
    identity += digest
  }
  const body = Buffer.allocUnsafe(length)
  body.set(HEAD)
  let index = HEAD.length
  let isFirst = true
  for (const { json } of cards) {
    if (!isFirst) body[index++] = COMMA
    isFirst = false
    body.set(json, index)
    index += json.length
  }
  body.set(end, index)
  return new CachedResponse(body, 'application/json; charset=utf-8', 200, hash('sha1', identity, 'base64url'))
}
