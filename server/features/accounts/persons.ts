// A person is one Discord account, whether or not it has an account here. Votes, points, giveaway entries, reports and
// sanctions reference the person, so they outlive the member's account and belong to the next one.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isBanned } from '#server/features/members/standing.ts'
import type { PersonKey } from './person-key.ts'

/** Time until a person without an account is erased, from the deletion of the account or the end of the last sanction. */
export const ERASED_AFTER = '24 months'
/** The same for a person without records, whose uses of limits still count (see limits.ts). */
export const LIMITS_COUNT_FOR = '25 hours'

const RECORDS = [
  { table: 'ratings', person: 'person_id', member: 'member_id' },
  { table: 'works_votes', person: 'person_id', member: 'member_id' },
  { table: 'giveaway_entries', person: 'person_id', member: 'member_id' },
  { table: 'reports', person: 'person_id', member: 'reporter_id' },
  { table: 'reputation_ledger', person: 'giver_person_id', member: 'giver_id' },
  { table: 'reputation_ledger', person: 'receiver_person_id', member: 'receiver_id' },
  { table: 'sanctions', person: 'person_id', member: 'member_id' },
] as const

export interface Person {
  id: number
  memberId: number | null
}

/** Finds or creates the person with this Discord id and locks it until the end of the transaction. */
export async function lockPerson(trx: Transaction, key: PersonKey, discordId: string): Promise<Person> {
  const hash = key.hash(discordId)
  await sql`update persons set discord_hash = ${hash}
    where discord_hash = any(${key.formerHashes(discordId)}::bytea[])`.execute(trx)
  await sql`insert into persons (discord_hash) values (${hash}) on conflict do nothing`.execute(trx)
  const { rows } = await sql<Person>`select id, member_id as "memberId" from persons
    where discord_hash = ${hash} for update`.execute(trx)
  const [person] = rows
  if (!person) throw new Error('person erased between two statements')
  return person
}

/** Gives a new member the records of a locked person. Returns whether the member is banned. */
export async function linkMember(trx: Transaction, personId: number, memberId: number): Promise<boolean> {
  for (const { table, person, member } of RECORDS) {
    // Ordered like all writers of several rows, to avoid deadlocks.
    await sql`with locked as materialized (
        select id from ${sql.table(table)} where ${sql.ref(person)} = ${personId} order by id for update)
      update ${sql.table(table)} t set ${sql.ref(member)} = ${memberId} from locked where t.id = locked.id`.execute(trx)
  }
  const { rows } = await sql<{ isBanned: boolean }>`with former as (
      select notes from persons where id = ${personId}),
    linked as (
      update persons set member_id = ${memberId}, notes = null where id = ${personId})
    update members m set notes = former.notes, muted_until = ${endOf('mute', personId)},
      banned_until = ${endOf('ban', personId)},
      reputation = coalesce((select sum(points) from reputation_ledger where receiver_id = ${memberId}), 0)
    from former where m.id = ${memberId}
    returning coalesce(${isBanned('m')}, false) as "isBanned"`.execute(trx)
  return rows[0]?.isBanned === true
}

const endOf = (kind: 'ban' | 'mute', personId: number): RawBuilder<Date | null> =>
  sql`(select max(ends_at) from sanctions
    where person_id = ${personId} and kind = ${kind} and lifted_at is null and ends_at > now())`

export const hasRecords = (person: string): RawBuilder<boolean> => {
  const records = RECORDS.map(
    ({ table, person: column }) =>
      sql`exists (select from ${sql.table(table)} where ${sql.ref(column)} = ${sql.ref(`${person}.id`)})`,
  )
  return sql<boolean>`(${sql.join(records, sql` or `)})`
}

/** Prepares the deletion of a locked member. A member who signs in again is the same person, with the same limits. */
export async function releasePerson(trx: Transaction, key: PersonKey, memberId: number): Promise<void> {
  const { discord_id, person } = await trx
    .selectFrom('members')
    .select(['discord_id', sql<number>`person_of(id)`.as('person')])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const isNamed = sql`(p.former_member_ids <> '{}' or m.notes is not null or ${hasRecords('p')}
    or exists (select from audit_log where member_id = m.id))`
  const discordHash = discord_id === null ? null : key.hash(discord_id)
  await sql`update persons p set discord_hash = ${discordHash}, notes = m.notes, retained_since = now(),
      former_member_ids = case when ${isNamed} then array_append(p.former_member_ids, m.id) else '{}' end
    from members m where p.id = ${person} and m.id = ${memberId}`.execute(trx)
}

/** The person of a member, whose limits a request counts for. */
export async function findPersonId(db: Database, memberId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select person_of(${memberId}) as id`.execute(db)
  return rows[0]?.id ?? 0
}
