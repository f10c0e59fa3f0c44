// npm run bench reads [-- --scripts 100000] [--data DIR]
// Reads of members: a page of comments of a script with 100,000, favorites, the inbox, and the check of an API token. The
// first reader has as much as anybody may or will have (2,000 favorites, 500 followed authors, 500 watched scripts), the
// second a tenth of it. In process, without HTTP, beside the time of one row by its primary key over the same connection.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { MAX_FAVORITES } from '#contract/limits.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import type { Caller } from '#server/features/authorization/guards.ts'
import { listThreads } from '#server/features/comments/queries.ts'
import { listFavorites } from '#server/features/favorites/favorites.ts'
import { listInbox } from '#server/features/notifications/inbox.ts'
import { createToken, Tokens } from '#server/features/tokens/tokens.ts'
import { createServer } from '#server/http/server.ts'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { median } from './load.ts'
import { printReport, type ReportRow } from './report.ts'

const ROUNDS = 200
const WARM_UP_ROUNDS = 200
const MAX_MS = 5
const MAX_TOKEN_MS = 0.3
const READERS = [
  { id: 1, favorites: 2000, follows: 500 },
  { id: 2, favorites: 200, follows: 50 },
]
const COMMENTS = 100_000
const THREADS = 80_000

/** Adds the data of the readers, all or nothing, unless it exists. Returns the script with the comments. */
async function fill(db: Database): Promise<number> {
  // The limit of the site's connections is for requests.
  await sql`set local statement_timeout = 0`.execute(db)
  const { rows } = await sql<{ id: number }>`select s.id from scripts s where is_public order by id limit 1`.execute(db)
  const script = rows[0]?.id ?? 1
  const existing = await sql`select from comments limit 1`.execute(db)
  if (existing.rows.length > 0) return script
  console.log('Generating comments, favorites and follows...')
  await sql`with last as (select max(id) as member from members)
    insert into comments (script_id, author_id, text, created_at)
    select ${script}, 1 + (n * 7919) % last.member, repeat('Does it work on phones? ', 1 + n % 9), now() - (${COMMENTS} - n) * interval '1 minute'
    from last, generate_series(1, ${THREADS}::int) n`.execute(db)
  await sql`with last as (select max(id) as member from members), first as (select min(id) as id from comments)
    insert into comments (script_id, parent_id, author_id, text, created_at)
    select ${script}, first.id + (n * 104729::bigint) % ${THREADS}, 1 + (n * 6007) % last.member, 'Yes, it does.', now()
    from last, first, generate_series(1, ${COMMENTS - THREADS}::int) n`.execute(db)
  for (const { id, favorites, follows } of READERS) {
    await sql`insert into favorites (member_id, script_id)
      select ${id}, id from scripts where author_id <> ${id} order by hashint4(id) limit ${favorites}`.execute(db)
    await sql`insert into follows (follower_id, author_id, created_at)
      select ${id}, author_id, now() - interval '40 days' from scripts where author_id <> ${id}
      group by author_id order by count(*) desc limit ${follows}`.execute(db)
    await sql`insert into watches (member_id, script_id, created_at)
      select ${id}, id, now() - interval '40 days' from scripts where author_id <> ${id}
      order by hashint4(id + 1) limit ${follows}`.execute(db)
  }
  await sql`insert into broadcasts (type, audience, author_id, script_id, created_at)
    select 'info', 'followers', s.author_id, s.id, now() - random() * interval '30 days' from (
      select s.*, row_number() over (partition by author_id order by id) as n from scripts s) s
    where s.n <= 20 order by hashint4(s.id)`.execute(db)
  await sql`insert into broadcasts (type, audience, author_id, script_id, version, created_at)
    select 'info', 'watchers', s.author_id, s.id, n || '.0.0', now() - random() * interval '30 days'
    from scripts s, generate_series(1, 3) n where s.id % 5 = 0 or s.id in (select script_id from watches)
    order by hashint4(s.id + n)`.execute(db)
  return script
}

async function time(read: () => Promise<unknown>, warmUpRounds = WARM_UP_ROUNDS): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < warmUpRounds + ROUNDS; round++) {
    const start = performance.now()
    await read()
    if (round >= warmUpRounds) times.push(performance.now() - start)
  }
  return Number(median(times).toFixed(2))
}

const { values } = parseArgs({ options: { scripts: { type: 'string', default: '100000' }, data: { type: 'string' } } })
const scripts = Number(values.scripts)
const folder = await makeTemporaryFolder()
const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
const database = await openCatalogue(dataDir, scripts)
const pool = openPool(database.url)
const db = openDatabase(pool)
try {
  const script = await db.transaction().execute(fill)
  // Autovacuum would do this within minutes.
  for (const table of ['comments', 'favorites', 'follows', 'watches', 'broadcasts'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  const reader = { id: READERS[0]?.id, isAdmin: false, isModerator: false } as Caller
  const options = { db, discordCdnUrl: 'https://cdn.discordapp.com' }
  const rows: ReportRow[] = []
  const add = (name: string, measured: number, max?: number) =>
    rows.push({ name: `${values.scripts} scripts: ${name}, ms`, measured, ...(max !== undefined && { max }) })
  const { token } = await createToken(db, 1, { name: 'bench', scopes: ['scripts:write'], expires_in_days: 30 })
  const { log } = createServer({ log: false, trustProxy: [], isHttps: false })
  const tokens = new Tokens(db, log)
  add('check of an API token', await time(() => tokens.authenticate(token), 2000), MAX_TOKEN_MS)
  add(
    'one row by its primary key',
    await time(() => sql`select id from scripts where id = ${script}`.execute(db), 2000),
  )
  const threads = (viewer: Caller | undefined, before?: number) =>
    time(() => listThreads(options, { id: script, ...(before && { before }) }, viewer))
  add('first page of 100,000 comments, for visitors', await threads(undefined), MAX_MS)
  add('first page of 100,000 comments, for a member', await threads(reader), MAX_MS)
  add('a page in the middle of 100,000 comments', await threads(reader, THREADS / 2), MAX_MS)
  for (const { id, favorites, follows } of READERS) {
    // The targets are for members as most are; the others show the cost at the limits.
    const max = favorites < MAX_FAVORITES ? MAX_MS : undefined
    for (const sort of ['added', 'name', 'rating'] as const) {
      const read = () => listFavorites(options, id, { page: 1, limit: 20, sort })
      add(`${favorites} favorites by ${sort}`, await time(read), max)
    }
    const readInbox = () => listInbox(db, id, { limit: 100 }, async () => new Map())
    add(`inbox with ${follows} authors and ${follows} scripts`, await time(readInbox), max)
  }
  printReport(rows)
} finally {
  await pool.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
