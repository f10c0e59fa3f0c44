import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { notify } from '#server/features/notifications/service.ts'
import { linkTo, type Place, type SubjectType } from './subject.ts'

interface About {
  subject_type: SubjectType
  subject_id: number
  author_id: number | null
  title: string
}

async function findLink(trx: Database, { subject_type, subject_id }: About): Promise<string | null> {
  const { rows } = await sql<Place>`select s.id as script_id, s.title as script_title, p.slug as profile_slug
    from (select ${subject_type}::text as type, ${subject_id}::int as id) c
    left join ratings r on c.type = 'review' and r.id = c.id
    left join scripts s on s.id = case c.type when 'script' then c.id when 'review' then r.script_id end
    left join members p on c.type = 'profile' and p.id = c.id`.execute(trx)
  return rows[0] ? linkTo(subject_type, rows[0]) : null
}

const OWN: Record<SubjectType, string> = { script: 'Your script', review: 'Your review', profile: 'Your profile' }

/** Tells the author of a thing; `title` goes on after 'Your script'. */
export async function tellAuthor(
  trx: Database,
  about: About,
  event: { type: 'success' | 'warning' | 'info'; title: string; message: string },
): Promise<void> {
  if (about.author_id === null) return
  const { type, title, message } = event
  await notify(trx, {
    memberId: about.author_id,
    kind: 'sanctions',
    type,
    title: `${OWN[about.subject_type]} ${title}`,
    message: `“${about.title}”: ${message}`,
    link: await findLink(trx, about),
  })
}

/** Tells everybody who reported a thing what came of it. */
export async function tellReporters(trx: Database, caseId: number, about: About, message: string): Promise<void> {
  const { rows } = await sql<{ reporter_id: number }>`select reporter_id from reports
    where case_id = ${caseId} and reporter_id is not null order by reporter_id`.execute(trx)
  for (const { reporter_id } of rows) {
    await notify(trx, {
      memberId: reporter_id,
      kind: 'admin',
      type: 'info',
      title: 'Your report was reviewed',
      message: `“${about.title}”: ${message}`,
      link: null,
    })
  }
}
