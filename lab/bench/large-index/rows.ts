import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CatalogueDocument } from '@scriptyard/catalogue-index'
import type pg from 'pg'
import { FLAGS } from '#contract/catalogue-names.ts'
import type { Tag } from '#contract/catalogue.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { openPool, SLOW_SERVER } from '#server/platform/db/pool.ts'
import { copyRows, decodeRow } from '#server/features/catalogue/index-rows.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { tagColor } from '#server/features/scripts/tags.ts'
import { TableCopy } from '../../../scripts/synthetic/copy.ts'
import { SyntheticCatalogue, type SyntheticScript } from '../../../scripts/synthetic/script.ts'

const SEED = 1
const NOW = Date.UTC(2026, 0, 1)

// All that lists read of a script, in one table: the ten tables of the site would take hours to fill and to query.
const VALUES =
  'id int, author int, flags int, views int, downloads int, ratings int, stars int, created bigint, updated bigint, showcased bigint, trend float8, tags int[], capabilities text[], hosts text[], title_key text collate "C"'
const COLUMNS = [...VALUES.split(', ').map((column) => column.split(' ')[0] ?? ''), 'document']

// In the order of `decodeRow`.
const SELECT_ROWS = `select record_send(row(id, author, flags, created, updated, showcased, views, downloads, ratings, stars,
  trend, tags, capabilities, hosts, document, title_key)) as row from documents order by id`

/** The listed scripts of a synthetic catalogue in PostgreSQL, with the tables `documents` and, without words, `listed`. */
export interface Rows {
  pool: pg.Pool
  tags: Tag[]
  /** Streams the documents by ascending id. They are valid until `onDocument` returns. */
  read(onDocument: (document: CatalogueDocument) => void): Promise<void>
  stop(): Promise<void>
}

/** Opens the rows in a folder, which is filled the first time. */
export async function openRows(dataDir: string, scripts: number): Promise<Rows> {
  const complete = path.join(dataDir, 'rows-complete')
  await mkdir(dataDir, { recursive: true })
  const server = await startPostgres({ dataDir, durable: false })
  const pool = openPool(server.connection, 4, {
    statement_timeout: 0,
    silence: SLOW_SERVER,
    options: '-c work_mem=256MB -c maintenance_work_mem=1GB',
  })
  if (!existsSync(complete)) {
    await fill(pool, scripts)
    await writeFile(complete, '')
  }
  const tags = await pool.query<Tag>('select id, name, color from tags order by id')
  return {
    pool,
    tags: tags.rows,
    read: async (onDocument) => {
      const client = await pool.connect()
      // Reads the index instead, because the rows are almost in its order.
      await client.query('set enable_sort = off')
      await copyRows(client, SELECT_ROWS, (row) => onDocument(decodeRow(row)))
      client.release(true)
    },
    stop: async () => {
      await pool.end()
      await server.stop()
    },
  }
}

async function fill(pool: pg.Pool, scripts: number): Promise<void> {
  const started = performance.now()
  const catalogue = new SyntheticCatalogue(scripts, SEED, NOW)
  await pool.query('drop table if exists documents, listed, tags')
  await pool.query(`create unlogged table documents (${VALUES}, document tsvector) with (autovacuum_enabled = off)`)
  await pool.query('create unlogged table tags (id int, name text, color text)')
  const tags = await TableCopy.open(pool, 'tags', ['id', 'name', 'color'])
  catalogue.tags.forEach((name, i) => tags.row([i + 1, name, tagColor(name)]))
  await tags.close()
  const documents = await TableCopy.open(pool, 'documents', COLUMNS)
  for (let id = 1; id <= scripts; id++) {
    const script = catalogue.script(id)
    if (script.flags.public) documents.row(rowOf(script, catalogue))
    if (id % 500 === 0) await documents.drain()
    if (id % 1_000_000 === 0) console.log(`${id} rows after ${Math.round((performance.now() - started) / 1000)} s`)
  }
  await documents.close()
  await pool.query('alter table documents add primary key (id)')
  const values = COLUMNS.slice(0, -1).join(', ')
  await pool.query(`create unlogged table listed with (autovacuum_enabled = off) as select ${values} from documents`)
  await pool.query('create index on documents using gin (document)')
  await pool.query('analyze documents, listed')
}

/** An array in PostgreSQL's text form. The texts have no characters that it would quote. */
const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`

function rowOf(script: SyntheticScript, { tags }: SyntheticCatalogue) {
  const { id, authorId, title, views, downloads, stars, tagIds, behavior, createdAt } = script
  const ratings = stars.reduce((sum, count) => sum + count, 0)
  const sum = stars.reduce((total, count, i) => total + count * (i + 1), 0)
  const created = createdAt.getTime()
  const titleWords = title.split(' ')
  const tagNames = tagIds.map((tag) => tags[tag - 1] ?? '')
  return [
    id,
    authorId,
    flagsOf(script),
    views,
    downloads,
    ratings,
    sum,
    created,
    created + (id % 1000) * 86_400_000,
    script.flags.showcased ? created : null,
    downloads / (1 + (NOW - created) / 86_400_000),
    arrayOf(tagIds),
    arrayOf(behavior.capabilities),
    arrayOf(behavior.hosts),
    titleWords.map(foldWord).join(' '),
    documentOf([titleWords, tagNames, [`author${authorId}`], script.description.replace('.', '').split(' ')]),
  ]
}

const foldedWords = new Map<string, string>()

function foldWord(word: string): string {
  let folded = foldedWords.get(word)
  if (folded === undefined) {
    folded = fold(word)
    if (!word.startsWith('author')) foldedWords.set(word, folded)
  }
  return folded
}

/** A tsvector with the best field of each word, as the index stores it. */
function documentOf(fields: readonly string[][]): string {
  const locations = new Map<string, string>()
  for (const [i, words] of fields.entries()) {
    for (const word of words) {
      const folded = foldWord(word)
      if (!locations.has(folded)) locations.set(folded, `${i + 1}${'ABCD'[i]}`)
    }
  }
  return Array.from(locations, ([word, location]) => `'${word}':${location}`).join(' ')
}

function flagsOf({ flags, behavior: { capabilities, compiles } }: SyntheticScript): number {
  const lacks = (...ids: typeof capabilities) => !ids.some((id) => capabilities.includes(id))
  const values: Record<(typeof FLAGS)[number], boolean> = {
    featured: flags.featured,
    no_keysystem: !flags.key,
    free_only: flags.free,
    paid_only: !flags.free,
    universal_only: flags.universal,
    game_specific_only: !flags.universal,
    client_side_only: flags.client,
    fe_only: !flags.client,
    verified_creators: flags.verified,
    mobile_compatible: flags.mobile,
    working_scripts: flags.working,
    showcased: flags.showcased,
    works_now: false,
    no_remote_code: lacks('code.remote'),
    sends_no_data: lacks('net.send', 'net.webhook', 'net.exfiltration'),
    readable_code: lacks('shape.obfuscated'),
    no_executor: lacks('needs.executor'),
    compiles,
  }
  return FLAGS.reduce((bits, flag, i) => (values[flag] ? bits | (1 << i) : bits), 0)
}
