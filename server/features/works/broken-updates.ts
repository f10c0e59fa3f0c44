// Cases about updates that members say do not work.
import { sql } from 'kysely'
import { isReachable } from '#server/features/members/public-content.ts'
import { openCase } from '#server/features/reports/automatic.ts'
import type { Database } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/db/run-each.ts'
import { tallyVotes, type Vote } from './score.ts'

/** Votes count for this long after an update became current. */
const HOURS = 48
/** So many established members, at least, say that it does not work. */
const MIN_VOTES = 5
/** Their share of the weights, at least: for each vote that it works, two that it does not. */
const MIN_SHARE = 2 / 3
const BATCH = 500

interface Update {
  script_id: number
  number: number
  version: string
  votes: (Omit<Vote, 'votedAt'> & { votedAt: string })[]
}

/** New members' votes are bounded, as in the score: they alone open no case. A first version is no update. */
export async function reportBrokenUpdates(db: Database): Promise<void> {
  const hours = sql`make_interval(hours => ${HOURS})`
  const { rows } = await sql<Update>`select s.id as script_id, v.number, v.version, w.votes
    from (select distinct script_id from works_votes
      where voted_at > now() - ${hours} and not works and is_latest and is_counted and is_established) recent
    join scripts s on s.id = recent.script_id join members m on m.id = s.author_id
    join script_versions v on v.script_id = s.id and v.number = s.current_version and v.state = 'published'
      and v.state_since > now() - ${hours}
    cross join lateral (
      select jsonb_agg(jsonb_build_object('works', works, 'weight', weight, 'isEstablished', is_established,
          'votedAt', voted_at)) as votes, count(*) filter (where is_established and not works) as broken
      from works_votes where script_id = s.id and version_number = v.number and is_latest and is_counted
        and voted_at >= v.state_since) w
    where w.broken >= ${MIN_VOTES} and ${isReachable('s', 'm')}
      and exists (select from script_versions o where o.script_id = s.id and o.number < v.number
        and o.state in ('published', 'withdrawn'))
      and not exists (select from report_cases c where c.subject_type = 'script' and c.subject_id = s.id
        and c.reason = 'broken_update' and c.version_number = v.number)
    order by s.id limit ${BATCH}`.execute(db)
  const now = new Date()
  await runEach(rows, async ({ script_id: scriptId, number, version, votes }) => {
    const { yes, total } = tallyVotes(
      votes.map((vote) => ({ ...vote, votedAt: new Date(vote.votedAt) })),
      now,
    )
    if (total <= 0 || (total - yes) / total < MIN_SHARE) return
    const broken = votes.filter((vote) => vote.isEstablished && !vote.works).length
    const detail = `${broken} members say that version ${version} does not work, in the first ${HOURS} hours after it became current.`
    const findings = [{ id: 'broken_update' as const, host: null, line: null, excerpt: '', detail }]
    await db
      .transaction()
      .execute((trx) => openCase(trx, { scriptId, reason: 'broken_update', version: number, findings }))
  })
}
