import { sql } from 'kysely'
import { makeSlug } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isBanned } from '#server/features/members/standing.ts'
import type { DiscordUser } from './discord.ts'
import type { PersonKey } from './person-key.ts'
import { linkMember, lockPerson } from './persons.ts'

export interface UpsertedMember {
  id: number
  isNew: boolean
  isRenamed: boolean
  isBanned: boolean
}

/** A returning person gets records and sanctions back. The member stays locked: a concurrent ban waits or is seen. */
export async function upsertMember(trx: Transaction, user: DiscordUser, key: PersonKey): Promise<UpsertedMember> {
  for (;;) {
    const member = (await updateMember(trx, user)) ?? (await insertMember(trx, user, key))
    if (member) return member
  }
}

async function updateMember(trx: Transaction, user: DiscordUser): Promise<UpsertedMember | undefined> {
  const { rows } = await sql<UpsertedMember>`with previous as (
      select id, username from members where discord_id = ${user.id} for no key update)
    update members m set username = ${user.username}, discriminator = ${user.discriminator}, avatar = ${user.avatar},
      email = ${user.email}, email_verified = ${user.isEmailVerified}
    from previous where m.id = previous.id
    returning m.id, false as "isNew", m.username <> previous.username as "isRenamed",
      coalesce(${isBanned('m')}, false) as "isBanned"`.execute(trx)
  return rows[0]
}

/** Returns undefined if a concurrent sign-in has taken the slug or created the member. */
async function insertMember(trx: Transaction, user: DiscordUser, key: PersonKey): Promise<UpsertedMember | undefined> {
  const person = await lockPerson(trx, key, user.id)
  if (person.memberId !== null) return undefined
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
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row && { id: row.id, isNew: true, isRenamed: false, isBanned: await linkMember(trx, person.id, row.id) }
}

/** Pages below /profile. */
const RESERVED = new Set(['me', 'settings'])

function baseSlug(username: string): string {
  const slug = makeSlug(username, { allowUnderscores: true })
  if (!/[\p{L}\p{N}_]/u.test(slug)) return 'user'
  return /^\p{N}+$/u.test(slug) || RESERVED.has(slug) ? `u-${slug}` : slug
}

/** Returns the first of `slug`, `slug-2`, `slug-3`, ... that no current or deleted member has used. */
async function findFreeSlug(db: Database, slug: string): Promise<string> {
  const { rows } = await sql<{ slug: string }>`with recursive tried (number, slug) as (
      select 1, ${slug}::text
      union all
      select number + 1, ${slug}::text || '-' || (number + 1) from tried
        where exists (select from members where members.slug = tried.slug)
          or exists (select from retired_slugs where slug_sha256 = sha256(convert_to(tried.slug, 'UTF8'))))
    select slug from tried order by number desc limit 1`.execute(db)
  return rows[0]?.slug ?? slug
}
