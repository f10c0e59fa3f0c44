import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { DumpKindName, DumpRow } from '#contract/dumps.ts'
import { DEFAULT_BADGE_COLOR } from '#contract/limits.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { cleanColumns } from '#server/platform/db/text-columns.ts'
import type { DB } from '#server/platform/db/types.generated.ts'
import { contactedHosts } from '#server/features/behavior/cards.ts'
import { gameDocument } from '#server/features/catalogue/games.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import { foldStoredTag } from '#server/features/scripts/tags.ts'

interface LoaderOptions {
  /** Hashes of the images that are stored here. */
  images: ReadonlySet<string>
  seal: Seal
  /** For members whose date is not public, in ISO 8601. */
  createdAt: string
}

type Table = keyof DB

/** Rows of one table are inserted together up to these limits. */
const MAX_ROWS = 2000
const MAX_CHARACTERS = 4_000_000

export class RowLoader {
  readonly #options: LoaderOptions
  readonly #tagIds = new Map<string, number>()
  readonly #names = new Map<number, string>()
  readonly #successors: { id: number; successor_id: number }[] = []
  readonly #gameIds = new Set<string>()
  readonly #pending = new Map<Table, string[]>()
  #characters = 0
  missingImages = 0
  openGiveaways = 0

  constructor(options: LoaderOptions) {
    this.#options = options
  }

  async add<K extends DumpKindName>(trx: Transaction, kind: K, rows: readonly DumpRow<K>[]): Promise<void> {
    for (const row of rows) {
      ;(this.#loaders[kind] as (row: DumpRow<K>) => void)(row)
      if (this.#characters >= MAX_CHARACTERS) await this.flush(trx)
    }
    if ([...this.#pending.values()].some(({ length }) => length >= MAX_ROWS)) await this.flush(trx)
  }

  /** Inserts the rows that wait, in the order in which their tables were first used. */
  async flush(trx: Transaction): Promise<void> {
    for (const [table, rows] of this.#pending) await insert(trx, table, rows)
    const collections = this.#pending.get('collections')
    // The trigger that counts the items has set the time, too.
    if (collections) await restoreTimes(trx, collections)
    this.#pending.clear()
    this.#characters = 0
  }

  /** Call it when all rows are inserted: a script may be replaced by one of a later row. */
  async finish(trx: Transaction): Promise<void> {
    await sql`update scripts s set successor_id = x.successor_id
      from json_populate_recordset(null::scripts, ${JSON.stringify(this.#successors)}::json) x where s.id = x.id`.execute(
      trx,
    )
  }

  /** Texts of earlier versions are cleaned. */
  #put(table: Table, row: Record<string, unknown>): void {
    const text = JSON.stringify({ ...row, ...cleanColumns(table, row) })
    const rows = this.#pending.get(table)
    if (rows) rows.push(text)
    else this.#pending.set(table, [text])
    this.#characters += text.length
  }

  readonly #image = (hash: string | null) => (hash !== null && this.#options.images.has(hash) ? hash : null)

  readonly #loaders: { [K in DumpKindName]: (row: DumpRow<K>) => void } = {
    tags: ({ id, name, color }) => {
      const folded = foldStoredTag(name)
      // Twins of earlier versions are one tag.
      const known = this.#tagIds.get(folded)
      if (known === undefined && folded !== '') this.#put('tags', { id, name: folded, color })
      this.#tagIds.set(folded, known ?? id)
    },
    images: (row) => {
      if (this.#options.images.has(row.hash)) this.#put('media', row)
      else this.missingImages++
    },
    members: ({ is_hidden, follower_count, ...row }) => {
      this.#names.set(row.id, displayNameOf({ ...row, ...cleanColumns('members', row) }))
      this.#put('members', {
        ...row,
        is_private: is_hidden,
        profile_image: this.#image(row.profile_image),
        banner_image: this.#image(row.banner_image),
        badge_color: row.badge_color ?? DEFAULT_BADGE_COLOR,
        reputation: row.reputation ?? 0,
        created_at: row.created_at ?? this.#options.createdAt,
      })
      if (follower_count) this.#put('follower_counts', { member_id: row.id, follower_count })
      if (row.reputation) {
        this.#put('reputation_ledger', { receiver_id: row.id, kind: 'start', points: row.reputation })
      }
    },
    scripts: (row) => this.#addScript(row),
    // Dumps of earlier versions have only the time of each version.
    versions: ({ published_at, state: _state, provenance, ...row }) => {
      this.#put('script_versions', {
        ...row,
        state_since: published_at ?? row.created_at,
        provenance: provenance ?? publishedBy('unknown').provenance,
      })
    },
    behavior: ({ capabilities, hosts, obfuscator, opaque, ...row }) => {
      // The card of a newer analyzer may have capabilities that this one does not know. The code is analyzed here.
      if (row.analyzer_version > ANALYZER_VERSION) return
      this.#put('behavior_cards', {
        ...row,
        status: 'ready',
        capabilities: capabilities.map(({ id }) => id),
        hosts: contactedHosts({ hosts }),
        card: { capabilities, hosts, obfuscator, opaque },
      })
    },
    reviews: (row) => this.#put('ratings', row),
    comments: (row) => this.#put('comments', { ...row, announced_to: [] }),
    collections: ({ items, ...row }) => {
      this.#put('collections', { ...row, is_public: true })
      items.forEach((item, position) => this.#put('collection_items', { ...item, collection_id: row.id, position }))
    },
    giveaways: (row) => {
      // The seed behind the published hash is the secret of the other site, so nobody here can draw the winners.
      if (row.seed === null) this.openGiveaways++
      else this.#put('giveaways', { ...row, sealed_seed: toBytea(this.#options.seal.seal(row.seed)) })
    },
    giveaway_entries: (row) => this.#put('giveaway_entries', row),
    // Dumps of earlier versions do not say where the code is rejected.
    withdrawals: ({ by, is_sitewide = by === 'moderators', ...row }) =>
      this.#put('withdrawals', { ...row, is_sitewide, withdrawn_as: by }),
  }

  #addGame(gameId: string | null, name: string | null): void {
    if (gameId === null || this.#gameIds.has(gameId)) return
    this.#gameIds.add(gameId)
    const { name: cleaned = name } = cleanColumns('games', { name })
    this.#put('games', { game_id: gameId, name: cleaned, document: cleaned === null ? null : gameDocument(cleaned) })
  }

  #addScript(script: DumpRow<'scripts'>): void {
    const {
      tags: names,
      stars,
      screenshots,
      comment_slow_seconds,
      successor_id,
      game_name: gameName = null,
      ...others
    } = { ...script, ...cleanColumns('scripts', script) }
    const tags = [...new Set(names.map(foldStoredTag))].filter((name) => name !== '')
    const { view_count, download_count, favorite_count, trend, ...row } = others
    const script_id = row.id
    this.#put('scripts', { ...row, image: this.#image(row.image), title_key: fold(row.title) })
    const [one_star, two_star, three_star, four_star, five_star] = stars
    const counts = { one_star, two_star, three_star, four_star, five_star }
    this.#put('script_stats', { script_id, view_count, download_count, favorite_count, trend, ...counts })
    const authorName = this.#names.get(row.author_id) ?? ''
    this.#put('script_search', { script_id, document: searchDocument({ ...row, tags, authorName, gameName }) })
    this.#addGame(row.game_id, gameName)
    // Positions count from 1, as those that publishing writes.
    tags.forEach((tag, i) => this.#put('script_tags', { script_id, tag_id: this.#tagIds.get(tag), position: i + 1 }))
    screenshots
      .filter(({ image }) => this.#image(image))
      .forEach((screenshot, i) => this.#put('script_screenshots', { ...screenshot, script_id, position: i + 1 }))
    if (successor_id) this.#successors.push({ id: script_id, successor_id })
    if (comment_slow_seconds > 0) {
      this.#put('comment_settings', { script_id, slow_seconds: comment_slow_seconds })
    }
  }
}

const toBytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** Inserts rows that all have the same columns. The other columns get their defaults. */
async function insert(trx: Transaction, table: Table, rows: readonly string[]): Promise<void> {
  const columns = sql.join(Object.keys(JSON.parse(rows[0] ?? '{}') as object).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(
    trx,
  )
}

async function restoreTimes(trx: Transaction, collections: readonly string[]): Promise<void> {
  await sql`update collections c set updated_at = x.updated_at
    from json_populate_recordset(null::collections, ${`[${collections.join(',')}]`}::json) x
    where c.id = x.id`.execute(trx)
}
