// Process that writes to the scripts of a database until it is killed: single writes, transactions and rollbacks.
import pg from 'pg'
import { Random } from '#lab/attack/random.ts'

const pool = new pg.Pool({ ...(JSON.parse(process.env['CONNECTION'] ?? '{}') as pg.PoolConfig), max: 2 })
pool.on('error', () => process.exit(1))

const random = new Random(Number(process.env['SEED']))
/** An integer from 1 to `max`. */
const pick = (max: number) => 1 + random.below(max)
const CHANGES = [
  `update script_stats set view_count = view_count + 1 where script_id = any($1)`,
  `update script_stats set five_star = five_star + 1, download_count = download_count + 2 where script_id = any($1)`,
  `update scripts set is_public = not is_public where id = any($1)`,
  `update scripts set title_key = title_key || 'x' where id = any($1)`,
  `update scripts set showcase_date = case when showcase_date is null then now() end where id = any($1)`,
  `delete from script_tags where script_id = any($1)`,
  `insert into script_tags select s, t, 1 from unnest($1::int[]) s, (select id from tags limit 2) as x (t) on conflict do nothing`,
  `update members set banned_until = case when banned_until is null then 'infinity'::timestamptz end
    where id in (select author_id from scripts where id = any($1))`,
]

async function write(): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (let left = pick(3); left > 0; left--) {
      // In a fixed order, to avoid deadlocks between writers.
      const ids = Array.from({ length: pick(3) }, () => pick(60)).toSorted((a, b) => a - b)
      await client.query(random.pick(CHANGES), [ids])
    }
    await client.query(random.chance(0.2) ? 'rollback' : 'commit')
  } catch {
    await client.query('rollback')
  } finally {
    client.release()
  }
}

process.send?.('writing')
for (;;) await write()
