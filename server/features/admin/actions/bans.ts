// What a ban is, for a member and for a person without an account (deleted, or never here). It is a row of `sanctions`. A
// member also has `banned_until`, from which the conditions in members/standing.ts, the lists and the sign-in follow; a
// trigger puts the member's scripts on the change feed. At a sign-in, accounts/persons.ts gives the account the ban of its
// person. A ban that ends by itself needs no write, except that a scheduled job counts the votes again.
import { sql } from 'kysely'
import type { AdminActionBody } from '#contract/admin.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import type { PersonKey } from '#server/features/accounts/person-key.ts'
import { lockPerson, type Person } from '#server/features/accounts/persons.ts'
import { endSessionsOf } from '#server/features/accounts/sessions.ts'
import { type AuditEntry, writeAudit } from '#server/platform/audit/audit.ts'
import { isPersonBanned, lockAdmin } from '#server/features/members/standing.ts'
import { syncPersonVotes, syncVotes } from '#server/features/ratings/summary.ts'
import { syncPersonWorksVotes, syncWorksVotes } from '#server/features/works/recount.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { alreadyError, notError, userNotFoundError } from './errors.ts'
import { findTarget, lockTarget, requireRemovable, type Target } from './lock.ts'
import { forAudit, insertSanction, liftSanction, notifyTarget } from './sanctions.ts'

/** `user_id` is the id of a member or of a deleted account. */
interface Identity {
  user_id?: number | undefined
  discord_id?: string | undefined
  person_id?: number | undefined
}

type BanInput = Pick<AdminActionBody<'ban_user'>, 'reason' | 'duration'>

/** A locked member, or a locked person without an account, whom the audit log and messages do not name. */
interface BanTarget {
  member: Target | null
  sanctioned: { memberId: number } | { personId: number }
  name: string
  isBanned: boolean
  subject: Pick<AuditEntry, 'subjectType' | 'subjectId' | 'memberId'>
}

/** Bans a member or a person. Throws AppError `user_not_found`, `forbidden`, and what `banTarget` throws. */
export async function ban(
  trx: Transaction,
  key: PersonKey,
  adminId: number,
  input: Identity & BanInput,
): Promise<void> {
  const parsed = parseBan(input)
  await banTarget(trx, adminId, await lockIdentity(trx, key, adminId, input), parsed)
}

/** Bans a member. Throws what `lockTarget` and `banTarget` throw. */
export async function banMember(trx: Transaction, adminId: number, memberId: number, input: BanInput): Promise<void> {
  const parsed = parseBan(input)
  await banTarget(trx, adminId, toBanTarget(await lockTarget(trx, adminId, memberId)), parsed)
}

/** Lifts the ban of a member or a person. Throws AppError `user_not_found`, `forbidden` and `not_banned`. */
export async function unban(trx: Transaction, key: PersonKey, adminId: number, input: Identity): Promise<void> {
  await unbanTarget(trx, adminId, await lockIdentity(trx, key, adminId, input))
}

/** Lifts the ban of a member. Throws AppError `not_banned` and what `lockTarget` throws. */
export async function unbanMember(trx: Transaction, adminId: number, memberId: number): Promise<void> {
  await unbanTarget(trx, adminId, toBanTarget(await lockTarget(trx, adminId, memberId)))
}

const parseBan = ({ reason, duration }: BanInput): BanInput => ({
  reason: parseText(reason, { field: 'reason', maxLength: MAX_REASON_LENGTH }),
  duration,
})

/** Ends sessions, hides content and stops counting votes. Throws AppError `own_account`, `last_admin` and `already_banned`. */
async function banTarget(trx: Transaction, adminId: number, target: BanTarget, input: BanInput): Promise<void> {
  const { member } = target
  if (member) await requireRemovable(trx, adminId, member)
  if (target.isBanned) throw alreadyError('banned', target.name)
  const end = await insertSanction(trx, adminId, target.sanctioned, { kind: 'ban', unit: 'hours', ...input })
  if (member) {
    await sql`update members set banned_until = ${end ?? 'infinity'}::timestamptz where id = ${member.id}`.execute(trx)
    await endSessionsOf(trx, member.id)
  }
  await recountVotes(trx, target)
  const after = { reason: input.reason, banned_until: forAudit(end) }
  await writeAudit(trx, { actorId: adminId, action: 'ban_user', ...target.subject, after })
}

/** Shows content and counts votes again. Throws AppError `not_banned`. */
async function unbanTarget(trx: Transaction, adminId: number, target: BanTarget): Promise<void> {
  const { member } = target
  if (!target.isBanned) throw notError('banned', target.name)
  await liftSanction(trx, adminId, target.sanctioned, 'ban')
  if (member) await sql`update members set banned_until = null where id = ${member.id}`.execute(trx)
  await recountVotes(trx, target)
  if (member) {
    const message = 'Your account is active again and your content is visible.'
    await notifyTarget(trx, member.id, 'success', 'Your ban was lifted', message)
  }
  const before = member && { before: { banned_until: forAudit(member.bannedUntil) } }
  await writeAudit(trx, { actorId: adminId, action: 'unban_user', ...target.subject, ...before })
}

async function recountVotes(trx: Transaction, { sanctioned: target }: BanTarget): Promise<void> {
  if ('memberId' in target) {
    await syncVotes(trx, target.memberId)
    await syncWorksVotes(trx, target.memberId)
  } else {
    await syncPersonVotes(trx, target.personId)
    await syncPersonWorksVotes(trx, sql`${target.personId}::int`)
  }
}

const toBanTarget = (member: Target): BanTarget => ({
  member,
  sanctioned: { memberId: member.id },
  name: member.username,
  isBanned: member.isBanned,
  subject: { subjectType: 'member', subjectId: member.id, memberId: member.id },
})

/** Locks the member, or the person if there is no account. An account that is deleted at the same time is found either way. */
async function lockIdentity(trx: Transaction, key: PersonKey, adminId: number, input: Identity): Promise<BanTarget> {
  for (;;) {
    const person = await findPerson(trx, key, input)
    if (!person) throw userNotFoundError()
    if (person.memberId === null) {
      await lockAdmin(trx, adminId)
      return {
        member: null,
        sanctioned: { personId: person.id },
        name: 'This person',
        isBanned: await isBanned(trx, person.id),
        subject: { subjectType: 'person', subjectId: person.id, memberId: input.user_id ?? null },
      }
    }
    const member = await findTarget(trx, adminId, person.memberId)
    if (member) return toBanTarget(member)
  }
}

async function isBanned(trx: Transaction, personId: number): Promise<boolean> {
  const { rows } = await sql<{ isBanned: boolean }>`select ${isPersonBanned(sql.val(personId))} as "isBanned"`.execute(
    trx,
  )
  return rows[0]?.isBanned === true
}

/** Finds a person, who is locked if there is no account. The id is 0 if a member was found. */
async function findPerson(
  trx: Transaction,
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

async function findById(trx: Transaction, personId: number): Promise<Person | undefined> {
  const { rows } = await sql<Person>`select id, member_id as "memberId" from persons
    where id = ${personId} for update`.execute(trx)
  const [person] = rows
  // Members are locked before persons, and a ban of a member concerns the account.
  if (person?.memberId != null) throw userNotFoundError()
  return person
}
