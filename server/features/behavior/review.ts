// Reviews newly published code by its card, once per publication: watchers and the author are notified, and moderators
// get a case if it contacts a collector of data.
import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { announceBehavior } from '#server/features/notifications/announce.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import type { StoredCard } from './cards.ts'
import { reportCollectors } from './collectors.ts'
import { findChangeSince, isChange, PRECEDING } from './read.ts'

/** Watchers are notified if an update starts one of these. */
const NOTICED = /^(net|code|fs|user)\./

/** SQL: the version that watchers were last notified of. Versions of one hour share a notification. */
const FORMER = sql`coalesce(
  (select max(o.number) from script_versions o where o.script_id = s.id and o.state = 'published'
    and o.number < v.number and o.created_at <= v.created_at - interval '1 hour'),
  (select min(o.number) from script_versions o where o.script_id = s.id and o.state = 'published'))`

export async function reviewScripts({ db, emit }: { db: Database; emit: Emit }, sha256: string): Promise<void> {
  const { rows } = await sql<{ script_id: number }>`select script_id from script_behaviors
    where sha256 = ${sha256} and awaits_review and status <> 'pending' order by script_id`.execute(db)
  for (const { script_id } of rows) await db.transaction().execute((trx) => reviewScript(trx, emit, script_id))
}

export async function findFormerContents(db: Database, sha256: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`select distinct f.sha256
    from script_behaviors b join scripts s on s.id = b.script_id
      join script_versions v on v.script_id = s.id and v.number = s.current_version
      join script_versions f on f.script_id = s.id and f.number in (${FORMER}, ${PRECEDING})
    where b.sha256 = ${sha256} and b.awaits_review and f.sha256 <> b.sha256`.execute(db)
  return rows.map((row) => row.sha256)
}

/** The code that versions with this content wait to be compared with: that of current, former and withdrawn versions. */
export async function findPublishedContents(db: Database, sha256: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`select distinct c.sha256
    from script_versions v join scripts s on s.id = v.script_id
      join script_versions c on c.script_id = s.id and c.sha256 <> v.sha256 and c.number in (s.current_version,
        (select number from script_versions where script_id = s.id and state = 'withdrawn'
          order by published_at desc, number desc limit 1),
        (select number from script_versions where script_id = s.id and (state = 'published' or state = 'private')
          order by coalesce(published_at, state_since) desc, number desc limit 1))
    where v.sha256 = ${sha256} and v.state in ('checking', 'held')`.execute(db)
  return rows.map((row) => row.sha256)
}

interface Reviewed {
  id: number
  title: string
  author_id: number
  number: number
  version: string
  card: StoredCard
}

async function reviewScript(trx: Transaction, emit: Emit, scriptId: number): Promise<void> {
  const script = await lockReviewed(trx, scriptId)
  if (!script) return
  await reportCollectors(trx, scriptId)
  if (await findSecret(trx, script)) await warnOfSecret(trx, script)
  const change = await findChangeSince(trx, scriptId, script.number, FORMER)
  // Last: it locks all broadcasts.
  if (change?.starts.some((id) => NOTICED.test(id))) await announceBehavior(trx, { scriptId, ...change })
  const step = await findChangeSince(trx, scriptId, script.number, PRECEDING)
  if (!step || !isChange(step)) return
  const { number, version: name, created_at: _createdAt, ...difference } = step
  await emit(trx, { type: 'behavior.changed', scriptId, version: { number, name }, ...difference })
}

/**
 * Locks the rows in the order in which deletions lock them, and ends the wait. Undefined if the script does not wait any
 * more, got other code or is private; a private one waits again when it becomes public.
 */
async function lockReviewed(trx: Transaction, scriptId: number): Promise<Reviewed | undefined> {
  await sql`select from members where id = (select author_id from scripts where id = ${scriptId}) for key share`.execute(
    trx,
  )
  await sql`select from scripts where id = ${scriptId} for share`.execute(trx)
  const { rows } = await sql<Reviewed & { is_public: boolean }>`update script_behaviors b set awaits_review = false
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
      join behavior_cards c on c.sha256 = v.sha256
    where b.script_id = ${scriptId} and b.awaits_review and b.status <> 'pending' and s.id = b.script_id
      and b.sha256 = v.sha256 and c.analyzer_version = b.analyzer_version
    returning s.id, s.title, s.author_id, s.is_public, v.number, v.version, c.card`.execute(trx)
  return rows[0]?.is_public ? rows[0] : undefined
}

async function findSecret(trx: Transaction, { id, number, card }: Reviewed): Promise<boolean> {
  if (!card.capabilities?.some((finding) => finding.id === 'shape.secret')) return false
  const change = await findChangeSince(trx, id, number, PRECEDING)
  return !change || change.starts.includes('shape.secret')
}

async function warnOfSecret(trx: Transaction, { id, title, author_id, card }: Reviewed): Promise<void> {
  const [evidence] = card.capabilities?.find((finding) => finding.id === 'shape.secret')?.evidence ?? []
  if (!evidence) return
  await notify(trx, {
    memberId: author_id,
    kind: 'admin',
    type: 'warning',
    title: 'Your script contains a secret',
    message: `Line ${evidence.line} of “${title}” has ${evidence.detail}. Everyone can read and use it: replace it where you got it, and publish a version without it.`,
    link: `/scripts/${scriptSlug(title, id)}`,
  })
}
