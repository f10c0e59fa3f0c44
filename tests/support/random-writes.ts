import { sql } from 'kysely'
import fc from 'fast-check'
import type { Database } from '#server/db/database.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import { setTags } from '#server/features/scripts/tags.ts'
import type { NaiveScript } from './naive-catalogue.ts'
import { insertScript, type RandomScript, randomScript, statsOf } from './random-catalogue.ts'

const KINDS = ['count', 'rewrite', 'flags', 'publish', 'delete', 'ban'] as const
export const randomWrite = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(10_000),
  given: randomScript,
})
export type RandomWrite = typeof randomWrite extends fc.Arbitrary<infer Write> ? Write : never

export interface World {
  db: Database
  authors: readonly number[]
  known: NaiveScript[]
}

/** Does to the database and to the naive catalogue the same, and gives the ids of the scripts that changed. */
export async function write(world: World, { kind, at, given }: RandomWrite): Promise<number[]> {
  const { db, authors, known } = world
  const place = at % known.length
  const script = known[place]
  if (kind === 'publish' || !script) {
    const planted = await insertScript(db, authors, given)
    planted.isListed = given.isPublic && !(await isBanned(db, planted.author_id))
    publicNow.set(planted, given.isPublic)
    known.push(planted)
    return [planted.id]
  }
  if (kind === 'ban') return ban(world, script.author_id, given.isPublic)
  if (kind === 'delete') {
    await db.deleteFrom('scripts').where('id', '=', script.id).execute()
    known.splice(place, 1)
  } else known[place] = await change(db, script, kind, given)
  return [script.id]
}

async function isBanned(db: Database, member: number): Promise<boolean> {
  const { rows } = await sql`select 1 from members where id = ${member} and banned_until > now()`.execute(db)
  return rows.length > 0
}

/** Scripts that are not public stay unlisted. */
const publicNow = new WeakMap<NaiveScript, boolean>()
const isPublic = (script: NaiveScript) => publicNow.get(script) ?? ('is_public' in script && script.is_public === true)

async function ban({ db, known }: World, author: number, isBan: boolean): Promise<number[]> {
  const banned_until = isBan ? 'infinity' : null
  await db.updateTable('members').set({ banned_until }).where('id', '=', author).execute()
  const theirs = known.filter((script) => script.author_id === author)
  for (const script of theirs) script.isListed = !isBan && isPublic(script)
  return theirs.map(({ id }) => id)
}

async function change(
  db: Database,
  script: NaiveScript,
  kind: 'count' | 'rewrite' | 'flags',
  given: RandomScript,
): Promise<NaiveScript> {
  const { id } = script
  if (kind === 'count') {
    const stats = statsOf(given)
    await db.updateTable('script_stats').set(stats).where('script_id', '=', id).execute()
    return keep(script, { ...script, stats })
  }
  const {
    title,
    description,
    tags,
    author: _a,
    day: _d,
    showcasedOn,
    views: _v,
    downloads: _o,
    fiveStar: _f,
    oneStar: _s,
    isPublic: is_public,
    ...flags
  } = given
  if (kind === 'rewrite') {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('scripts')
        .set({ title, title_key: fold(title), description })
        .where('id', '=', id)
        .execute()
      const document = searchDocument({ title, description, tags, authorName: script.authorName })
      await trx.updateTable('script_search').set({ document }).where('script_id', '=', id).execute()
      await setTags(trx, id, tags)
    })
    return keep(script, { ...script, title, description, tags })
  }
  const showcase_date = showcasedOn === null ? null : new Date(Date.UTC(2026, 0, 1 + showcasedOn))
  await db
    .updateTable('scripts')
    .set({ ...flags, showcase_date, is_public })
    .where('id', '=', id)
    .execute()
  const changed = { ...script, ...flags, showcase_date }
  publicNow.set(changed, is_public)
  changed.isListed = is_public && !(await isBanned(db, script.author_id))
  return changed
}

function keep(before: NaiveScript, after: NaiveScript): NaiveScript {
  publicNow.set(after, isPublic(before))
  return after
}
