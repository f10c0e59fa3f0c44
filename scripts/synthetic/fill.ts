import { createHash } from 'node:crypto'
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import type pg from 'pg'
import { fold } from '#server/features/catalogue/words.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import { tagColor } from '#server/features/scripts/tags.ts'
import { TableCopy } from './copy.ts'
import { SyntheticCatalogue, type SyntheticScript } from './script.ts'

const SCRIPT_COLUMNS =
  'id author_id title title_key description version file_size has_key_system key_system_url is_universal game_id is_client_side is_free is_featured is_verified is_public is_mobile_compatible is_working showcase_date created_at updated_at'
const STATS_COLUMNS = 'script_id view_count download_count one_star two_star three_star four_star five_star'
const BEHAVIOR_COLUMNS = 'script_id sha256 analyzer_version status compiles capabilities hosts'
const VERSION_COLUMNS = 'script_id number version content sha256 size created_at'

interface Tables {
  scripts: TableCopy
  versions: TableCopy
  stats: TableCopy
  search: TableCopy
  tags: TableCopy
  behaviors: TableCopy
}

const authorName = (id: number) => `author${id}`

/** Fills an empty database with realistic frequencies of words, tags and authors. Throws if it has members. */
export async function fillSynthetic(
  pool: pg.Pool,
  { scripts, seed, onProgress }: { scripts: number; seed: number; onProgress: (done: number) => void },
): Promise<void> {
  const { rows } = await pool.query('select 1 from members limit 1')
  if (rows.length > 0) throw new Error('The database is not empty. Set DATA_DIR to a new folder.')
  const catalogue = new SyntheticCatalogue(scripts, seed, Date.UTC(2026, 0, 1))
  await fillMembers(pool, catalogue)
  await fillScripts(pool, catalogue, scripts, onProgress)
  for (const table of ['members', 'tags', 'scripts']) {
    await pool.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  }
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  // COPY bypassed the triggers that maintain these counts.
  await client.query('select recount_daily_stats()')
  await client.query('analyze')
  client.release(true)
}

async function fillMembers(pool: pg.Pool, { authors, tags }: SyntheticCatalogue): Promise<void> {
  const members = await TableCopy.open(pool, 'members', ['id', 'discord_id', 'username', 'slug'])
  for (let id = 1; id <= authors; id++) {
    members.row([id, String(10_000_000_000 + id), authorName(id), authorName(id)])
    await members.drain()
  }
  await members.close()
  const names = await TableCopy.open(pool, 'tags', ['id', 'name', 'color'])
  tags.forEach((name, index) => names.row([index + 1, name, tagColor(name)]))
  await names.close()
}

async function fillScripts(
  pool: pg.Pool,
  catalogue: SyntheticCatalogue,
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const tables: Tables = {
    scripts: await TableCopy.open(pool, 'scripts', SCRIPT_COLUMNS.split(' ')),
    versions: await TableCopy.open(pool, 'script_versions', VERSION_COLUMNS.split(' ')),
    stats: await TableCopy.open(pool, 'script_stats', STATS_COLUMNS.split(' ')),
    search: await TableCopy.open(pool, 'script_search', ['script_id', 'document']),
    tags: await TableCopy.open(pool, 'script_tags', ['script_id', 'tag_id', 'position']),
    behaviors: await TableCopy.open(pool, 'script_behaviors', BEHAVIOR_COLUMNS.split(' ')),
  }
  for (let id = 1; id <= count; id++) {
    writeScript(tables, catalogue, catalogue.script(id))
    if (id % 500 !== 0) continue
    for (const table of Object.values(tables) as TableCopy[]) await table.drain()
    onProgress(id)
  }
  for (const table of Object.values(tables) as TableCopy[]) await table.close()
  onProgress(count)
}

/** An array in PostgreSQL's text form. The texts have no characters that it would quote. */
const arrayOf = (texts: readonly string[]) => `{${texts.join(',')}}`

function writeScript(tables: Tables, catalogue: SyntheticCatalogue, script: SyntheticScript): void {
  const { id, title, description, content, flags, createdAt } = script
  const size = Buffer.byteLength(content)
  const tags = script.tagIds.map((tag) => catalogue.tags[tag - 1] ?? '')
  const keySystemUrl = flags.key ? 'https://example.com/key' : null
  const showcased = flags.showcased ? createdAt : null
  tables.scripts.row([
    id,
    script.authorId,
    title,
    fold(title),
    description,
    '1.0.0',
    size,
    flags.key,
    keySystemUrl,
    flags.universal,
    flags.universal ? null : String(id),
    flags.client,
    flags.free,
    flags.featured,
    flags.verified,
    flags.public,
    flags.mobile,
    flags.working,
    showcased,
    createdAt,
    createdAt,
  ])
  const sha256 = createHash('sha256').update(content).digest('hex')
  tables.versions.row([id, 1, '1.0.0', content, sha256, size, createdAt])
  tables.stats.row([id, script.views, script.downloads, ...script.stars])
  tables.search.row([id, searchDocument({ title, description, tags, authorName: authorName(script.authorId) })])
  const { compiles, capabilities, hosts } = script.behavior
  tables.behaviors.row([id, sha256, ANALYZER_VERSION, 'ready', compiles, arrayOf(capabilities), arrayOf(hosts)])
  script.tagIds.forEach((tag, position) => tables.tags.row([id, tag, position + 1]))
}
