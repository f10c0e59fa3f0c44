import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { SubjectType } from './subject.ts'

/** The content that a decision is about. */
export interface CaseSubject {
  subject_type: SubjectType
  subject_id: number
  author_id: number | null
  title: string
}

/** The page where authors read decisions and appeal. */
const APPEALS_PATH = '/appeals'

export interface AuthorMessage {
  type: 'success' | 'warning' | 'info'
  /** Makes the title from 'script', 'review', 'profile', 'comment' or 'collection'. */
  title: (noun: string) => string
  message: string
}

/** Notifies the author of a subject, if it has one. */
export async function notifyAuthor(trx: Database, subject: CaseSubject, message: AuthorMessage): Promise<void> {
  if (subject.author_id === null) return
  await notify(trx, {
    memberId: subject.author_id,
    kind: 'sanctions',
    type: message.type,
    title: message.title(subject.subject_type),
    message: `“${subject.title}”: ${message.message}`,
    link: APPEALS_PATH,
  })
}

/** Notifies everyone who reported a subject. */
export async function notifyReporters(
  trx: Database,
  caseId: number,
  { title }: Pick<CaseSubject, 'title'>,
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
      message: `“${title}”: ${message}`,
      link: null,
    })
  }
}
