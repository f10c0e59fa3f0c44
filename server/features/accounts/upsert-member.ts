import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { DiscordUser } from './discord.ts'
import { makeSlug } from '#contract/slug.ts'
import { isBanned } from '#server/features/members/standing.ts'

export interface UpsertedMember {
  id: number
  isNew: boolean
  /** Discord knows them by another name than last time. */
  isRenamed: boolean
  isBanned: boolean
}

/**
 * The member with this Discord id, made or refreshed. `isAdmin` makes them an admin; it takes nothing away. Call it in
 * a transaction: the member stays locked, so that a ban waits for the sign-in or the sign-in sees the ban.
 */
export async function upsertMember(trx: Database, user: DiscordUser, isAdmin: boolean): Promise<UpsertedMember> {
  for (;;) {
    const member = (await updateMember(trx, user, isAdmin)) ?? (await insertMember(trx, user, isAdmin))
    if (member) return member
  }
}

async function updateMember(trx: Database, user: DiscordUser, isAdmin: boolean): Promise<UpsertedMember | undefined> {
  const { rows } = await sql<UpsertedMember>`with former as (
      select id, username from members where discord_id = ${user.id} for no key update)
    update members m set username = ${user.username}, discriminator = ${user.discriminator}, avatar = ${user.avatar},
      email = ${user.email}, email_verified = ${user.isEmailVerified}, is_admin = m.is_admin or ${isAdmin}
    from former where m.id = former.id
    returning m.id, false as "isNew", m.username <> former.username as "isRenamed",
      coalesce(${isBanned('m')}, false) as "isBanned"`.execute(trx)
  return rows[0]
}

/** Undefined when somebody else took the slug, or the same member came in by another door, a moment before. */
async function insertMember(trx: Database, user: DiscordUser, isAdmin: boolean): Promise<UpsertedMember | undefined> {
  const row = await trx
    .insertInto('members')
    .values({
      discord_id: user.id,
      username: user.username,
      slug: await findFreeSlug(trx, baseSlug(user.username)),
      discriminator: user.discriminator,
      avatar: user.avatar,
      email: user.email,
      email_verified: user.isEmailVerified,
      is_admin: isAdmin,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row && { id: row.id, isNew: true, isRenamed: false, isBanned: false }
}

/** What /profile/... means already. */
const TAKEN_BY_PAGES = new Set(['me', 'settings'])

/** The slug that a name asks for, before it is known whether somebody has it. */
export function baseSlug(username: string): string {
  const slug = makeSlug(username, { allowUnderscores: true })
  if (!/[\p{L}\p{N}_]/u.test(slug)) return 'user'
  return /^\p{N}+$/u.test(slug) || TAKEN_BY_PAGES.has(slug) ? `u-${slug}` : slug
}

/** The first of `slug`, `slug-2`, `slug-3`, ... that nobody has at this moment, nor had before their account went. */
export async function findFreeSlug(db: Database, slug: string): Promise<string> {
  const { rows } = await sql<{ slug: string }>`with recursive tried (number, slug) as (
      select 1, ${slug}::text
      union all
      select number + 1, ${slug}::text || '-' || (number + 1) from tried
        where exists (select from members where members.slug = tried.slug)
          or exists (select from retired_slugs where slug_sha256 = sha256(convert_to(tried.slug, 'UTF8'))))
    select slug from tried order by number desc limit 1`.execute(db)
  return rows[0]?.slug ?? slug
}
