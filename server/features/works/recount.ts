import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/db/run-each.ts'
import { isBanned, isPersonBanned } from '#server/features/members/standing.ts'
import { HALF_LIFE_DAYS, MAX_NEW_SHARE, Z } from './score.ts'

const HALF_LIFE_SECONDS = sql.lit(HALF_LIFE_DAYS * 86_400)
const Z_SQUARED = sql.lit(Z * Z)

/**
 * Computes the tallies of these scripts' current versions, as `tallyVotes` and `worksUntil`. Locks the counters in the order of
 * the ids in a statement of its own: the one after it sees every vote that was committed before.
 */
export async function recountWorks(trx: Transaction, scriptIds: readonly number[]): Promise<void> {
  if (scriptIds.length === 0) return
  const ids = sql`${[...new Set(scriptIds)]}::int[]`
  await sql`select from script_stats where script_id = any(${ids}) order by script_id for update`.execute(trx)
  await sql`with decayed as (
      select v.script_id, v.works, v.is_established, v.weight
          * power(2::double precision, extract(epoch from v.voted_at - now())::double precision / ${HALF_LIFE_SECONDS})
          as weight
      from works_votes v join scripts s on s.id = v.script_id and s.current_version = v.version_number
      where v.script_id = any(${ids}) and v.is_latest and v.is_counted
    ), sums as (
      select script_id, coalesce(sum(weight) filter (where is_established and works), 0) as yes,
        coalesce(sum(weight) filter (where is_established), 0) as total,
        coalesce(sum(weight) filter (where not is_established and works), 0) as new_yes,
        sum(weight) filter (where not is_established) as new_total
      from decayed group by script_id
    ), tallies as (
      select script_id, yes + scale * new_yes as yes, total + scale * coalesce(new_total, 0) as total
      from sums, lateral (select coalesce(least(1, ${sql.lit(MAX_NEW_SHARE)} * total / new_total), 0) as scale) x
    ), surpluses as (
      select script_id, yes, total,
        case when yes * 2 > total then total * power(2 * yes / total - 1, 2) / ${Z_SQUARED} else 0 end as surplus
      from tallies
    )
    update script_stats st set works_yes = least(coalesce(t.yes, 0), coalesce(t.total, 0)),
      works_total = coalesce(t.total, 0), works_counted_at = now(),
      works_until = case when t.surplus > 1
        then now() + ${HALF_LIFE_SECONDS} * ln(t.surplus) / ln(2::double precision) * interval '1 second' end
    from unnest(${ids}) as i (id) left join surpluses t on t.script_id = i.id
    where st.script_id = i.id`.execute(trx)
}

const isBannedNow = (person: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${isPersonBanned(person)} or exists (
    select from persons p join members m on m.id = p.member_id where p.id = ${person} and ${isBanned('m')}))`

/** Counts the votes of a member unless the member is banned now. Idempotent. Lock the member first. */
export async function syncWorksVotes(trx: Transaction, memberId: number): Promise<void> {
  await syncPersonWorksVotes(trx, sql`(select id from persons where member_id = ${memberId})`)
}

/** Like `syncWorksVotes`, for a locked person. */
export async function syncPersonWorksVotes(trx: Transaction, person: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ script_id: number }>`with now_counts as (select not ${isBannedNow(person)} as value)
    update works_votes v set is_counted = n.value from now_counts n
    where v.person_id = ${person} and v.is_counted <> n.value returning v.script_id`.execute(trx)
  await recountWorks(
    trx,
    rows.map((row) => row.script_id),
  )
}

/** Syncs the votes of all persons whose ban has ended, and of banned members whose votes still count. */
export async function syncAllWorksVotes(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct v.person_id as id from works_votes v
      where not v.is_counted and v.person_id is not null and not ${isBannedNow(sql.ref('v.person_id'))}
    union
    select p.id from members m join persons p on p.member_id = m.id
      where ${isBanned('m')} and exists (select from works_votes v where v.person_id = p.id and v.is_counted)`.execute(
    db,
  )
  await runEach(rows, ({ id }) =>
    db.transaction().execute(async (trx) => {
      await sql`select from members where id = (select member_id from persons where id = ${id})
        for no key update`.execute(trx)
      await sql`select from persons where id = ${id} for update`.execute(trx)
      await syncPersonWorksVotes(trx, sql`${id}::int`)
    }),
  )
}

/** Removes the notes of a member whose account is being deleted. The votes stay, without a name. */
export async function removeWorksNotes(trx: Transaction, memberId: number): Promise<void> {
  await sql`update works_votes set note = null where member_id = ${memberId} and note is not null`.execute(trx)
}
