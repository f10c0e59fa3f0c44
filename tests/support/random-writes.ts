import { sql } from 'kysely'
import fc from 'fast-check'
import type { Database } from '#server/platform/db/database.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import { setTags } from '#server/features/scripts/tags.ts'
import type { NaiveScript } from './naive-catalogue.ts'
import { insertScript, type RandomScript, randomScript, statsOf, writeBehavior } from './random-catalogue.ts'

const KINDS = ['count', 'rewrite', 'flags', 'publish', 'delete', 'ban', 'behavior'] as const
export const randomWrite = fc.record({
  kind: fc.constantFrom(...KINDS),
  position: fc.nat(10_000),
  replacement: randomScript,
})
export type RandomWrite = typeof randomWrite extends fc.Arbitrary<infer Write> ? Write : never

export interface World {
  db: Database
  authors: readonly number[]
  known: NaiveScript[]
}

/** Applies a change to the database and to the naive catalogue. Returns the ids of the changed scripts. */
export async function write(world: World, { kind, position, replacement }: RandomWrite): Promise<number[]> {
  const { db, authors, known } = world
  const index = position % known.length
  const script = known[index]
  if (kind === 'publish' || !script) {
    const inserted = await insertScript(db, authors, replacement)
    inserted.isListed = replacement.isPublic && !(await isBanned(db, inserted.author_id))
    publicNow.set(inserted, replacement.isPublic)
    known.push(inserted)
    return [inserted.id]
  }
  if (kind === 'ban') return ban(world, script.author_id, replacement.isPublic)
  if (kind === 'delete') {
    await db.deleteFrom('scripts').where('id', '=', script.id).execute()
    known.splice(index, 1)
  } else known[index] = await change(db, script, kind, replacement)
  return [script.id]
}

async function isBanned(db: Database, member: number): Promise<boolean> {
  const { rows } = await sql`select 1 from members where id = ${member} and banned_until > now()`.execute(db)
  return rows.length > 0
}

/** Whether a script is public apart from bans. */
const publicNow = new WeakMap<NaiveScript, boolean>()
const isPublic = (script: NaiveScript) => publicNow.get(script) ?? ('is_public' in script && script.is_public === true)

async function ban({ db, known }: World, author: number, isBan: boolean): Promise<number[]> {
  const banned_until = isBan ? 'infinity' : null
  await db.updateTable('members').set({ banned_until }).where('id', '=', author).execute()
  const ofAuthor = known.filter((script) => script.author_id === author)
  for (const script of ofAuthor) script.isListed = !isBan && isPublic(script)
  return ofAuthor.map(({ id }) => id)
}

async function change(
  db: Database,
  script: NaiveScript,
  kind: 'count' | 'rewrite' | 'flags' | 'behavior',
  replacement: RandomScript,
): Promise<NaiveScript> {
  const { id } = script
  if (kind === 'count') {
    const stats = statsOf(replacement)
    await db.updateTable('script_stats').set(stats).where('script_id', '=', id).execute()
    return withVisibility(script, { ...script, stats })
  }
  if (kind === 'behavior') {
    const { behavior } = replacement
    if (behavior) await writeBehavior(db, id, behavior)
    else await db.deleteFrom('script_behaviors').where('script_id', '=', id).execute()
    return withVisibility(script, { ...script, behavior })
  }
  const {
    title,
    summary,
    description,
    tags,
    author: _a,
    day: _d,
    updatedAfter,
    showcasedOn,
    views: _v,
    downloads: _o,
    fiveStar: _f,
    oneStar: _s,
    isPublic: is_public,
    behavior: _b,
    ...flags
  } = replacement
  if (kind === 'rewrite') {
    const updated_at = new Date(script.created_at.getTime() + updatedAfter * 3_600_000)
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('scripts')
        .set({ title, title_key: fold(title), summary, description, updated_at })
        .where('id', '=', id)
        .execute()
      const document = searchDocument({ title, summary, description, tags, authorName: script.authorName })
      await trx.updateTable('script_search').set({ document }).where('script_id', '=', id).execute()
      await setTags(trx, id, tags)
    })
    return withVisibility(script, { ...script, title, summary, description, tags, updated_at })
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

function withVisibility(before: NaiveScript, after: NaiveScript): NaiveScript {
  publicNow.set(after, isPublic(before))
  return after
}
