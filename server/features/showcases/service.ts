import type { Card } from '#contract/catalogue.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { ShowcaseInput } from '#contract/showcases.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { parseShowcase } from './showcase-input.ts'

export interface ShowcasesOptions {
  db: Database
}

const CURRENT = ['showcase_date', 'showcase_video_url', 'showcase_notes'] as const
const FORMER = ['former_showcase_date', 'former_showcase_video_url', 'former_showcase_notes'] as const

const ADD = 'showcase_script'
const REMOVE = 'unshowcase_script'

const notShowcased = () => new AppError('not_showcased', 409, 'This script is not showcased.')

/** Omitted fields get the values of the former showcase, or else the date is now. Throws AppError `script_not_found`, `invalid`. */
export function addShowcase(options: ShowcasesOptions, input: ShowcaseInput, adminId: number): Promise<Card> {
  const set = parseShowcase(input)
  return write(options, { scriptId: input.script_id, adminId, action: ADD, set, allowNew: true })
}

/** Omitted fields stay. Throws AppError `script_not_found`, `not_showcased` or `invalid`. */
export function changeShowcase(options: ShowcasesOptions, input: ShowcaseInput, adminId: number): Promise<Card> {
  const { showcase_date, ...details } = parseShowcase(input)
  const set = { ...details, ...(showcase_date ? { showcase_date } : {}) }
  return write(options, { scriptId: input.script_id, adminId, action: 'edit_showcase', set, allowNew: false })
}

/** Throws AppError `script_not_found`. */
export function removeShowcase(options: ShowcasesOptions, scriptId: number, adminId: number): Promise<Card> {
  const set = { showcase_date: null, showcase_video_url: null, showcase_notes: null }
  return write(options, { scriptId, adminId, action: REMOVE, set, allowNew: true })
}

interface ShowcaseRow {
  showcase_date: Date | null
  showcase_video_url: string | null
  showcase_notes: string | null
}

interface Change {
  scriptId: number
  adminId: number
  action: string
  set: Partial<ShowcaseRow>
  /** Whether to accept a script that isn't showcased yet. */
  allowNew: boolean
}

async function write({ db }: ShowcasesOptions, change: Change): Promise<Card> {
  const { scriptId, adminId, action, allowNew } = change
  await db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    const old = await trx
      .selectFrom('scripts')
      .select(['author_id', 'title', ...CURRENT, ...FORMER])
      .where('id', '=', scriptId)
      .forUpdate()
      .executeTakeFirst()
    if (!old) throw scriptNotFound()
    if (!allowNew && !old.showcase_date) throw notShowcased()
    const { author_id, title, former_showcase_date, former_showcase_video_url, former_showcase_notes, ...before } = old
    const defaults = {
      showcase_date: former_showcase_date ?? new Date(),
      showcase_video_url: former_showcase_video_url,
      showcase_notes: former_showcase_notes,
    }
    const set = { ...(action === ADD && !before.showcase_date ? defaults : {}), ...change.set }
    const former = action === REMOVE && before.showcase_date ? toFormer(before) : {}
    if (Object.keys(set).length > 0) {
      await trx
        .updateTable('scripts')
        .set({ ...set, ...former })
        .where('id', '=', scriptId)
        .execute()
    }
    const after = { ...before, ...set }
    const subject = { subjectType: 'script', subjectId: scriptId, memberId: author_id } as const
    await writeAudit(trx, { actorId: adminId, action, ...subject, before, after })
    if (after.showcase_date && !before.showcase_date) await notifyAuthor(trx, author_id, { id: scriptId, title })
  })
  const [row] = await findCardRows(db, [scriptId])
  if (!row) throw scriptNotFound()
  return toCard(row)
}

const toFormer = ({ showcase_date, showcase_video_url, showcase_notes }: ShowcaseRow) => ({
  former_showcase_date: showcase_date,
  former_showcase_video_url: showcase_video_url,
  former_showcase_notes: showcase_notes,
})

function notifyAuthor(trx: Transaction, memberId: number, { id, title }: { id: number; title: string }): Promise<void> {
  return notify(trx, {
    memberId,
    kind: 'script_status',
    type: 'success',
    title: 'Your script is showcased',
    message: `“${title}” is now showcased.`,
    link: `/scripts/${scriptSlug(title, id)}`,
  })
}
