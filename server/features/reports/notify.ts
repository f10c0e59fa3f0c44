import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { SubjectType } from './subject.ts'

interface CaseSubject {
  subject_type: SubjectType
  subject_id: number
  author_id: number | null
  title: string
}

/** Where authors read what was decided, and appeal. */
const APPEALS_PATH = '/appeals'

const OWN: Record<SubjectType, string> = { script: 'Your script', review: 'Your review', profile: 'Your profile' }

/** Tells the author of a thing; `title` goes on after 'Your script'. */
export async function notifyAuthor(
  trx: Database,
  about: CaseSubject,
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
    link: APPEALS_PATH,
  })
}

/** Tells everybody who reported a thing what came of it. */
export async function notifyReporters(
  trx: Database,
  caseId: number,
  about: CaseSubject,
  message: string,
): Promise<void> {
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
