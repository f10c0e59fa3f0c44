// Bans of persons whose account was deleted, or who never had one (while a person has an account, the member is banned), and
// links of Discord accounts to imported members.
import { sql } from 'kysely'
import type { AdminActionBody } from '#contract/admin.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PersonKey } from '#server/features/accounts/person-key.ts'
import { linkDiscordAccount } from '#server/features/accounts/link-member.ts'
import { lockPerson, type Person } from '#server/features/accounts/persons.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { isPersonBanned, lockAdmin, lockMembers } from '#server/features/members/standing.ts'
import { syncPersonVotes } from '#server/features/ratings/summary.ts'
import { syncPersonWorksVotes } from '#server/features/works/recount.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { alreadyError, notError, userNotFoundError } from './errors.ts'
import { lockTarget } from './lock.ts'
import { banUser, forAudit, insertSanction, liftSanction, unbanUser } from './sanctions.ts'

/** `user_id` is the id of a member or of a deleted account. */
interface Identity {
  user_id?: number | undefined
  discord_id?: string | undefined
  person_id?: number | undefined
}

/** Throws AppError `user_not_found`, `already_banned`, `forbidden`, and what `banUser` throws. */
export async function ban(trx: Database, key: PersonKey, adminId: number, input: AdminActionBody<'ban_user'>) {
  const reason = parseText(input.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  const { duration } = input
  const target = await lockIdentity(trx, key, adminId, input)
  if (target.memberId !== null) return banUser(trx, adminId, { user_id: target.memberId, reason, duration })
  if (await isBanned(trx, target.id)) throw alreadyError('banned', 'This person')
  const sanction = { kind: 'ban', reason, duration, unit: 'hours' } as const
  const end = await insertSanction(trx, adminId, { personId: target.id }, sanction)
  await syncPersonVotes(trx, target.id)
  await syncPersonWorksVotes(trx, sql`${target.id}::int`)
  const after = { reason, banned_until: forAudit(end) }
  await writeAudit(trx, { ...entryOf(adminId, 'ban_user', target, input), after })
}

/** Throws AppError `user_not_found`, `not_banned`, `forbidden`, and what `unbanUser` throws. */
export async function unban(trx: Database, key: PersonKey, adminId: number, input: AdminActionBody<'unban_user'>) {
  const target = await lockIdentity(trx, key, adminId, input)
  if (target.memberId !== null) return unbanUser(trx, adminId, target.memberId)
  if (!(await isBanned(trx, target.id))) throw notError('banned', 'This person')
  await liftSanction(trx, adminId, { personId: target.id }, 'ban')
  await syncPersonVotes(trx, target.id)
  await syncPersonWorksVotes(trx, sql`${target.id}::int`)
  await writeAudit(trx, entryOf(adminId, 'unban_user', target, input))
}

/** The log does not name the account. Throws what `lockTarget` and `linkDiscordAccount` throw. */
export async function linkMember(trx: Database, key: PersonKey, adminId: number, body: AdminActionBody<'link_member'>) {
  const { id } = await lockTarget(trx, adminId, body.user_id)
  await linkDiscordAccount(trx, key, { memberId: id, discordId: body.discord_id })
  await writeAudit(trx, { actorId: adminId, action: 'link_member', subjectType: 'member', subjectId: id, memberId: id })
}

const entryOf = (actorId: number, action: string, { id }: Person, { user_id }: Identity) =>
  ({ actorId, action, subjectType: 'person', subjectId: id, memberId: user_id ?? null }) as const

async function isBanned(trx: Database, personId: number): Promise<boolean> {
  const { rows } = await sql<{ isBanned: boolean }>`select ${isPersonBanned(sql.val(personId))} as "isBanned"`.execute(
    trx,
  )
  return rows[0]?.isBanned === true
}

/** Locks the member, or the person if there is no account. An account that is deleted at the same time is found either way. */
async function lockIdentity(trx: Database, key: PersonKey, adminId: number, input: Identity): Promise<Person> {
  for (;;) {
    const person = await findPerson(trx, key, input)
    if (!person) throw userNotFoundError()
    if (person.memberId === null) {
      await lockAdmin(trx, adminId)
      return person
    }
    const locked = await lockMembers(trx, [adminId, person.memberId])
    if (locked.has(person.memberId)) return person
  }
}

/** Finds a person, who is locked if there is no account. The id is 0 if a member was found. */
async function findPerson(
  trx: Database,
  key: PersonKey,
  { user_id, discord_id, person_id }: Identity,
): Promise<Person | undefined> {
  if ([user_id, discord_id, person_id].filter((each) => each !== undefined).length !== 1) {
    throw fieldError('user_id', 'is required, unless there is a Discord ID instead')
  }
  if (person_id !== undefined) return findById(trx, person_id)
  const { rows: members } = await sql<{ id: number; memberId: number }>`select 0 as id, id as "memberId" from members
    where ${discord_id === undefined ? sql`id = ${user_id}` : sql`discord_id = ${discord_id}`}`.execute(trx)
  if (members[0]) return members[0]
  if (discord_id !== undefined) return lockPerson(trx, key, discord_id)
  const { rows } = await sql<Person>`select id, member_id as "memberId" from persons
    where former_member_ids <> '{}' and former_member_ids @> array[${user_id}::int] limit 1 for update`.execute(trx)
  return rows[0]
}

async function findById(trx: Database, personId: number): Promise<Person | undefined> {
  const { rows } = await sql<Person>`select id, member_id as "memberId" from persons
    where id = ${personId} for update`.execute(trx)
  const [person] = rows
  // Members are locked before persons, and a ban of a member concerns the account.
  if (person?.memberId != null) throw userNotFoundError()
  return person
}
