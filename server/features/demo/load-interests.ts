import { demoFavorites, demoFollows, demoWatches } from '#demo/interests.ts'
import type { Database } from '#server/db/database.ts'
import { daysAgo, getId } from './load-members.ts'

/** Inserts favorites, follows and watched scripts. Triggers count them. */
export async function loadInterests(
  trx: Database,
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
}

const pairsOf = (lists: Record<string, string[]>): [string, string][] =>
  Object.entries(lists).flatMap(([key, values]) => values.map((value): [string, string] => [key, value]))
