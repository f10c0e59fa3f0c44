import { sql } from 'kysely'
import type { Transaction } from '#server/platform/db/database.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { SubjectType } from './subject.ts'

export interface CaseSubject {
  subject_type: SubjectType
  subject_id: number
  author_id: number | null
  title: string
}

const APPEALS_PATH = '/appeals'

export interface AuthorMessage {
  type: 'success' | 'warning' | 'info'
  /** Makes the title from 'script', 'review', 'profile', 'comment' or 'collection'. */
  title: (noun: string) => string
  message: string
}

/** Notifies on the site and by email. */
export async function notifyAuthor(
  trx: Transaction,
  emailMember: EmailMember,
  subject: CaseSubject,
  message: AuthorMessage,
): Promise<void> {
  const { author_id: memberId } = subject
  if (memberId === null) return
  const title = message.title(subject.subject_type)
  const text = `“${subject.title}”: ${message.message}`
  await notify(trx, { memberId, kind: 'sanctions', type: message.type, title, message: text, link: APPEALS_PATH })
  await emailMember(trx, {
    memberId,
    kind: 'decision',
    content: {
      subject: title,
      blocks: [
        { type: 'text', text },
        { type: 'button', label: 'See the decision', url: APPEALS_PATH },
      ],
    },
  })
}

export async function notifyReporters(
  trx: Transaction,
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
