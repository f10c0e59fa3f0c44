import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/db/run-each.ts'
import { isActive, isBanned, isPersonBanned } from '#server/features/members/standing.ts'

const COLUMNS = ['one_star', 'two_star', 'three_star', 'four_star', 'five_star'] as const

/** Moves one vote between the stored star counts of a script; null is no vote. Counts are never recomputed. */
export async function moveVote(
  trx: Transaction,
  scriptId: number,
  { from, to }: { from: number | null; to: number | null },
): Promise<void> {
  if (from === to) return
  const changes = COLUMNS.flatMap((column, index) => {
    const change = Number(index + 1 === to) - Number(index + 1 === from)
    return change === 0 ? [] : [sql`${sql.ref(column)} = ${sql.ref(column)} + ${sql.lit(change)}`]
  })
  await sql`update script_stats set ${sql.join(changes)} where script_id = ${scriptId}`.execute(trx)
}

/** Idempotent. Locks scripts in the order of their ids, so that concurrent calls cannot deadlock. */
export async function syncVotes(trx: Transaction, memberId: number): Promise<void> {
  const { rows } = await sql<{ counts: boolean }>`select ${isActive('members')} as counts
    from members where id = ${memberId} for no key update`.execute(trx)
  const [member] = rows
  if (member) await countVotes(trx, sql`member_id = ${memberId}`, member.counts)
}

/** Counts the votes of a locked person without an account unless the person is banned now. Idempotent. */
export async function syncPersonVotes(trx: Transaction, personId: number): Promise<void> {
  const { rows } = await sql<{ counts: boolean }>`select not ${isPersonBanned(sql.val(personId))} as counts`.execute(
    trx,
  )
  await countVotes(trx, sql`member_id is null and person_id = ${personId}`, rows[0]?.counts === true)
}

/** Sets whether the matching votes count, and updates the summaries. Leaves out hidden ones. */
async function countVotes(trx: Transaction, isMatch: RawBuilder<unknown>, counts: boolean): Promise<void> {
  const sign = sql.lit(counts ? 1 : -1)
  const changes = COLUMNS.map(
    (column, index) =>
      sql`${sql.ref(column)} = st.${sql.ref(column)} + ${sign} * (c.rating = ${sql.lit(index + 1)})::int`,
  )
  await sql`with changed as (
      update ratings set is_counted = ${counts}
      where ${isMatch} and is_counted <> ${counts} and hidden_at is null
      returning script_id, rating
    ), locked as (
      select script_id from script_stats where script_id in (select script_id from changed) order by script_id for update
    )
    update script_stats st set ${sql.join(changes)}
    from changed c join locked using (script_id) where st.script_id = c.script_id`.execute(trx)
}

/** Syncs the votes of all members whose ban has expired, and of banned members whose votes still count. */
export async function syncAllVotes(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct m.id from ratings r join members m on m.id = r.member_id
      where not r.is_counted and r.hidden_at is null and ${isActive('m')}
    union
    select m.id from members m where ${isBanned('m')}
      and exists (select 1 from ratings r where r.member_id = m.id and r.is_counted)`.execute(db)
  const syncMembers = () => runEach(rows, ({ id }) => db.transaction().execute((trx) => syncVotes(trx, id)))
  await runEach([syncMembers, () => syncVotesWithoutAccount(db)], (sync) => sync())
}

/** Syncs the votes of persons without an account whose ban has expired. */
async function syncVotesWithoutAccount(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number }>`select distinct person_id as id from ratings
    where not is_counted and hidden_at is null and member_id is null
      and person_id in (select person_id from sanctions where kind = 'ban')
      and not ${isPersonBanned(sql.ref('ratings.person_id'))}`.execute(db)
  await runEach(rows, ({ id }) =>
    db.transaction().execute(async (trx) => {
      await sql`select from persons where id = ${id} for update`.execute(trx)
      await syncPersonVotes(trx, id)
    }),
  )
}

interface LockedRating {
  script_id: number
  rating: number
  is_counted: boolean
  is_hidden: boolean
  is_author_banned: boolean
}

async function lockRating(trx: Transaction, id: number): Promise<LockedRating | undefined> {
  const { rows } =
    await sql<LockedRating>`select r.script_id, r.rating, r.is_counted, r.hidden_at is not null as is_hidden,
      exists (select 1 from members m where m.id = r.member_id and ${isBanned('m')})
        or r.member_id is null and ${isPersonBanned(sql.ref('r.person_id'))} as is_author_banned
    from ratings r where r.id = ${id} for update`.execute(trx)
  return rows[0]
}

/** Hides a review and its stars. Returns the script's id; undefined if the review is deleted or already hidden. */
export async function hideReview(trx: Transaction, id: number): Promise<number | undefined> {
  const rating = await lockRating(trx, id)
  if (!rating || rating.is_hidden) return undefined
  await moveVote(trx, rating.script_id, { from: rating.is_counted ? rating.rating : null, to: null })
  await sql`update ratings set hidden_at = now(), is_counted = false where id = ${id}`.execute(trx)
  return rating.script_id
}

/** Shows a hidden review again; it counts unless its author is banned. Returns the script's id; undefined if not hidden. */
export async function unhideReview(trx: Transaction, id: number): Promise<number | undefined> {
  const rating = await lockRating(trx, id)
  if (!rating?.is_hidden) return undefined
  const counts = !rating.is_author_banned
  await moveVote(trx, rating.script_id, { from: null, to: counts ? rating.rating : null })
  await sql`update ratings set hidden_at = null, is_counted = ${counts} where id = ${id}`.execute(trx)
  return rating.script_id
}
