// npm run bench reads [-- --scripts 100000] [--data DIR]
// Reads that members with much data make: a page of comments of a script with 100,000, the favorites of a member with
// 2,000, the inbox of a member who follows 500 authors and watches 500 scripts, and the check of an API token. In process, without HTTP, beside the time of one row by its
// primary key over the same connection.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
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
const READER = 1
const COMMENTS = 100_000
const THREADS = 80_000

/** Adds the data of the reader, member 1, unless it exists. Returns the script with the comments. */
async function fill(db: Database): Promise<number> {
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
  await sql`insert into favorites (member_id, script_id)
    select ${READER}, id from scripts where author_id <> ${READER} order by hashint4(id) limit 2000`.execute(db)
  await sql`insert into follows (follower_id, author_id, created_at)
    select ${READER}, author_id, now() - interval '40 days' from scripts where author_id <> ${READER}
    group by author_id order by count(*) desc limit 500`.execute(db)
  await sql`insert into watches (member_id, script_id, created_at)
    select ${READER}, id, now() - interval '40 days' from scripts where author_id <> ${READER} order by hashint4(id + 1) limit 500`.execute(
    db,
  )
  await sql`insert into broadcasts (type, audience, author_id, script_id, created_at)
    select 'info', 'followers', s.author_id, s.id, now() - random() * interval '30 days' from (
      select s.*, row_number() over (partition by author_id order by id) as n from scripts s) s
    where s.n <= 20 order by hashint4(s.id)`.execute(db)
  await sql`insert into broadcasts (type, audience, author_id, script_id, version, created_at)
    select 'info', 'watchers', s.author_id, s.id, n || '.0.0', now() - random() * interval '30 days'
    from scripts s, generate_series(1, 3) n where s.id % 5 = 0 or s.id in (select script_id from watches)
    order by hashint4(s.id + n)`.execute(db)
  await sql`analyze`.execute(db)
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
  const script = await fill(db)
  const reader = { id: READER, isAdmin: false, isModerator: false } as Caller
  const options = { db, discordCdnUrl: 'https://cdn.discordapp.com' }
  const reference = await time(() => sql`select id from scripts where id = ${script}`.execute(db))
  const row = (name: string, measured: number): ReportRow => ({
    name: `${values.scripts} scripts: ${name}, ms`,
    measured,
    max: MAX_MS,
  })
  const favorites = (sort: 'added' | 'name' | 'updated' | 'rating') =>
    time(() => listFavorites(options, READER, { page: 1, limit: 20, sort }))
  const { token } = await createToken(db, READER, { name: 'bench', scopes: ['scripts:write'], expires_in_days: 30 })
  const { log } = createServer({ log: false, trustProxy: [], isHttps: false })
  const tokens = new Tokens(db, log)
  const threads = (viewer: Caller | undefined, before?: number) =>
    time(() => listThreads(options, { id: script, ...(before && { before }) }, viewer))
  printReport([
    { name: 'one row by its primary key, ms', measured: reference },
    {
      name: 'check of an API token, ms',
      measured: await time(() => tokens.authenticate(token), 2000),
      max: MAX_TOKEN_MS,
    },
    row('first page of 100,000 comments, for visitors', await threads(undefined)),
    row('first page of 100,000 comments, for a member', await threads(reader)),
    row('a page in the middle of 100,000 comments', await threads(reader, THREADS / 2)),
    row('2,000 favorites by time', await favorites('added')),
    row('2,000 favorites by name', await favorites('name')),
    row('2,000 favorites by rating', await favorites('rating')),
    row(
      'inbox with 500 authors and 500 scripts',
      await time(() => listInbox(db, READER, { limit: 100 }, async () => new Map())),
    ),
  ])
} finally {
  await pool.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
