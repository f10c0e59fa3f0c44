import { demoCollections } from '#demo/collections.ts'
import { demoFavorites, demoFollows, demoWatches } from '#demo/interests.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { daysAgo, getId } from './load-members.ts'

/** Inserts favorites, follows, watched scripts and collections. Triggers count them. */
export async function loadInterests(
  trx: Transaction,
  members: Map<string, number>,
  scripts: Map<string, number>,
): Promise<void> {
  const scriptId = (name: string) => getId(scripts, `${name}.luau`)
  const favorites = pairsOf(demoFavorites).map(([member, script], i) => ({
    member_id: getId(members, member),
    script_id: scriptId(script),
    added_at: daysAgo(1 + i / 2),
  }))
  const follows = pairsOf(demoFollows).map(([follower, author], i) => ({
    follower_id: getId(members, follower),
    author_id: getId(members, author),
    created_at: daysAgo(2 + i),
  }))
  const watches = pairsOf(demoWatches).map(([member, script], i) => ({
    member_id: getId(members, member),
    script_id: scriptId(script),
    created_at: daysAgo(1 + i),
  }))
  await trx.insertInto('favorites').values(favorites).execute()
  await trx.insertInto('follows').values(follows).execute()
  await trx.insertInto('watches').values(watches).execute()
  for (const { owner, name, description, isPublic, updatedDaysAgo, items } of demoCollections) {
    const updated_at = daysAgo(updatedDaysAgo)
    const { id } = await trx
      .insertInto('collections')
      .values({ owner_id: getId(members, owner), name, description, is_public: isPublic, created_at: updated_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = items.map(([script, note], position) => ({ script_id: scriptId(script), note, position }))
    await trx
      .insertInto('collection_items')
      .values(rows.map((row) => ({ ...row, collection_id: id, added_at: updated_at })))
      .execute()
    // The trigger that counts the items has set the time, too.
    await trx.updateTable('collections').set({ updated_at }).where('id', '=', id).execute()
  }
}

const pairsOf = (lists: Record<string, string[]>): [string, string][] =>
  Object.entries(lists).flatMap(([key, values]) => values.map((value): [string, string] => [key, value]))
