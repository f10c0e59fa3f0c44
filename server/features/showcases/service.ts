// Admins show scripts that are worth a look, with a date, a video and a note; the author hears of it.
import type { Card } from '#contract/catalogue.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { ShowcaseInput } from '#contract/showcases.ts'
import type { Database } from '#server/db/database.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { AppError } from '#server/http/errors.ts'
import { parseShowcase } from './showcase-input.ts'

export interface ShowcasesOptions {
  db: Database
  discordCdnUrl: string
}

const scriptNotFound = () => new AppError('script_not_found', 404, 'This script was not found.')
const notShowcased = () => new AppError('not_showcased', 409, 'This script is not showcased.')

/** Puts a script into the showcases, today unless told. Throws AppError `script_not_found` or `invalid`. */
export function addShowcase(options: ShowcasesOptions, given: ShowcaseInput, adminId: number): Promise<Card> {
  const { showcase_date, ...details } = parseShowcase(given)
  const set = { ...details, showcase_date: showcase_date ?? new Date() }
  return write(options, { scriptId: given.script_id, adminId, action: 'showcase_script', set, mayBeNew: true })
}

/** Changes date, video or note; what is left out stays. Throws AppError `script_not_found`, `not_showcased` or `invalid`. */
export function changeShowcase(options: ShowcasesOptions, given: ShowcaseInput, adminId: number): Promise<Card> {
  const { showcase_date, ...details } = parseShowcase(given)
  const set = { ...details, ...(showcase_date ? { showcase_date } : {}) }
  return write(options, { scriptId: given.script_id, adminId, action: 'edit_showcase', set, mayBeNew: false })
}

/** Takes a script out of the showcases. Throws AppError `script_not_found`. */
export function removeShowcase(options: ShowcasesOptions, scriptId: number, adminId: number): Promise<Card> {
  const set = { showcase_date: null, showcase_video_url: null, showcase_notes: null }
  return write(options, { scriptId, adminId, action: 'unshowcase_script', set, mayBeNew: true })
}

interface Change {
  scriptId: number
  adminId: number
  action: string
  set: { showcase_date?: Date | null; showcase_video_url?: string | null; showcase_notes?: string | null }
  mayBeNew: boolean
}

async function write({ db, discordCdnUrl }: ShowcasesOptions, change: Change): Promise<Card> {
  const { scriptId, adminId, action, set, mayBeNew } = change
  await db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const old = await trx
      .selectFrom('scripts')
      .select(['author_id', 'title', 'showcase_date', 'showcase_video_url', 'showcase_notes'])
      .where('id', '=', scriptId)
      .forUpdate()
      .executeTakeFirst()
    if (!old) throw scriptNotFound()
    if (!mayBeNew && !old.showcase_date) throw notShowcased()
    const { author_id, title, ...before } = old
    if (Object.keys(set).length > 0) await trx.updateTable('scripts').set(set).where('id', '=', scriptId).execute()
    const after = { ...before, ...set }
    const subject = { subjectType: 'script', subjectId: scriptId, memberId: author_id } as const
    await writeAudit(trx, { actorId: adminId, action, ...subject, before, after })
    if (after.showcase_date && !before.showcase_date) await notifyAuthor(trx, author_id, { id: scriptId, title })
  })
  const [row] = await findCardRows(db, [scriptId])
  if (!row) throw scriptNotFound()
  return toCard(row, discordCdnUrl)
}

function notifyAuthor(
  trx: Parameters<typeof notify>[0],
  memberId: number,
  { id, title }: { id: number; title: string },
): Promise<void> {
  return notify(trx, {
    memberId,
    kind: 'script_status',
    type: 'success',
    title: 'Your script is showcased',
    message: `“${title}” now stands among the showcases.`,
    link: `/scripts/${scriptSlug(title, id)}`,
  })
}
