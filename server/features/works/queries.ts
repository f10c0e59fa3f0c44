import { sql } from 'kysely'
import type { Works, WorksNote, WorksSummary, WorksVote } from '#contract/works.ts'
import type { Database } from '#server/platform/db/database.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import { scriptNotFound, type Viewer, visibleTo } from '#server/features/scripts/visibility.ts'
import { fade, lowerBound } from './score.ts'

const MAX_NOTES = 100

interface SummaryRow {
  author_id: number
  version_number: number
  version: string
  works_yes: number
  works_total: number
  /** Milliseconds since the tally was made; null without one. */
  tally_age: number | null
  works_now: boolean
  works: number
  total: number
  new_votes: number
}

/** Only authors see the notes. Throws AppError `script_not_found`, also if the caller may not see the script. */
export async function getWorks(db: Database, scriptId: number, viewer: Viewer): Promise<Works> {
  const { rows } =
    await sql<SummaryRow>`select s.author_id, s.current_version as version_number, s.version, st.works_yes,
      st.works_total, extract(epoch from now() - st.works_counted_at)::double precision * 1000 as tally_age,
      coalesce(st.works_until > now(), false) as works_now, week.*
    from scripts s join members m on m.id = s.author_id join script_stats st on st.script_id = s.id,
      lateral (select count(*) filter (where v.is_established and v.works) as works,
          count(*) filter (where v.is_established) as total, count(*) filter (where not v.is_established) as new_votes
        from works_votes v where v.script_id = s.id and v.version_number = s.current_version and v.is_latest
          and v.is_counted and v.voted_at > now() - interval '7 days') week
    where s.id = ${scriptId} and ${visibleTo(viewer)}`.execute(db)
  const [row] = rows
  if (!row) throw scriptNotFound()
  const { author_id, version_number } = row
  return {
    summary: toSummary(row),
    own_vote: viewer ? await findOwnVote(db, { scriptId, version_number, memberId: viewer.id }) : null,
    notes: viewer?.id === author_id ? await findNotes(db, scriptId, version_number) : null,
  }
}

function toSummary(row: SummaryRow): WorksSummary {
  const { works_yes, works_total, tally_age, version_number, version, works, total, new_votes, works_now } = row
  const factor = fade(tally_age ?? 0)
  const score = lowerBound({ yes: works_yes * factor, total: works_total * factor })
  // In hundredths, so that the response stays the same for a while.
  const rounded = works_total > 0 ? Math.round(score * 100) / 100 : null
  return { version_number, version, works, total, new_votes, score: rounded, works_now }
}

interface OwnVoteRow {
  works: boolean
  note: string | null
  is_established: boolean
  voted_at: Date
}

async function findOwnVote(
  db: Database,
  { scriptId, version_number, memberId }: { scriptId: number; version_number: number; memberId: number },
): Promise<WorksVote | null> {
  const { rows } = await sql<OwnVoteRow>`select works, note, is_established, voted_at from works_votes
    where script_id = ${scriptId} and version_number = ${version_number} and is_latest
      and person_id = (select id from persons where member_id = ${memberId})`.execute(db)
  const [vote] = rows
  if (!vote) return null
  const { works, note, is_established, voted_at } = vote
  return { works, note, voted_at: voted_at.toISOString(), is_new_member: !is_established }
}

interface WorksNoteRow {
  id: number
  works: boolean
  note: string
  voted_at: Date
  username: string | null
  display_name: string | null
  slug: string | null
}

async function findNotes(db: Database, scriptId: number, version: number): Promise<WorksNote[]> {
  const { rows } = await sql<WorksNoteRow>`select v.id, v.works, v.note, v.voted_at, m.username, m.display_name, m.slug
    from works_votes v left join members m on m.id = v.member_id
    where v.script_id = ${scriptId} and v.version_number = ${version} and v.is_latest and v.is_counted
      and v.note is not null
    order by v.voted_at desc, v.id desc limit ${MAX_NOTES}`.execute(db)
  return rows.map(({ username, display_name, slug, voted_at, ...row }) => ({
    ...row,
    member_name: username === null ? 'Deleted member' : displayNameOf({ username, display_name }),
    member_slug: slug ?? '',
    voted_at: voted_at.toISOString(),
  }))
}
