// Files of the web app in the database, for the pages of other versions.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Database } from './database.ts'

const assetsFolder = path.resolve(import.meta.dirname, '../../../dist/client/assets')

/** How long open pages may request files of a former version. */
const RETENTION = '30 days'
/** Compressed copies are for the version's own requests. */
const COMPRESSED = /\.(br|gz)$/

/** Stores the files of this version's build, and removes those of versions that were replaced long ago. */
export async function storeAssets(pool: pg.Pool, folder = assetsFolder): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !COMPRESSED.test(name))
  if (names.length === 0) return
  const { rows } = await pool.query<{ name: string }>('select name from web_assets where name = any ($1)', [names])
  const stored = new Set(rows.map(({ name }) => name))
  for (const name of names.filter((one) => !stored.has(one))) {
    const content = await readFile(path.join(folder, name))
    await pool.query('insert into web_assets (name, content) values ($1, $2) on conflict do nothing', [name, content])
  }
  await pool.query(
    `update web_assets set retired_at = case when name <> all ($1) then now() end
     where (retired_at is null) <> (name = any ($1))`,
    [names],
  )
  await pool.query('delete from web_assets where retired_at < now() - $1::interval', [RETENTION])
}

const MAX_CACHE_BYTES = 16_000_000
/** Names are read from the database at most this often, however many unknown ones are requested. */
const NAMES_INTERVAL_MS = 1000

export function createAssetFinder(db: Database): (name: string) => Promise<Buffer | undefined> {
  const cache = new LRUCache<string, Buffer>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ length }) => length + 1 })
  let names: Promise<Set<string>> | undefined
  let readAt = 0
  const readNames = async () => {
    const rows = await db.selectFrom('web_assets').select('name').execute()
    return new Set(rows.map(({ name }) => name))
  }
  return async (name) => {
    const cached = cache.get(name)
    if (cached) return cached
    if (!names || performance.now() - readAt > NAMES_INTERVAL_MS) {
      readAt = performance.now()
      names = readNames()
    }
    if (!(await names).has(name)) return undefined
    const row = await db.selectFrom('web_assets').select('content').where('name', '=', name).executeTakeFirst()
    if (row) cache.set(name, row.content)
    return row?.content
  }
}
