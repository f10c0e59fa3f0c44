import { sql } from 'kysely'
import { splitChangelog } from '#contract/script-fields.ts'
import type { Script, ScriptVersion } from '#contract/scripts.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { withdrawnCode } from '#server/features/copies/withdrawn.ts'
import { chargeUpload } from '#server/platform/media/upload-quota.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notFound } from '#server/platform/http/errors.ts'
import type { Caller, Publisher } from '#server/platform/authorization/guards.ts'
import { getScript, type WritingOptions } from './read.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import {
  addVersion,
  findVersionRow,
  findVersionRows,
  lockOwnScript,
  type OwnScript,
  toVersionState,
  type VersionRow,
} from './queries.ts'
import { requireAccepted } from './only-builds.ts'
import { findNextVersion } from './version-number.ts'
import { replaceWaiting, settleScript } from './version-states.ts'
import { isStaffViewer, scriptNotFound, type Viewer } from './visibility.ts'
import { toHold } from './waiting.ts'
import { explainMissing } from './withdrawals.ts'

function toVersion({
  created_at,
  state_since,
  hold_reasons,
  confirmed_at,
  current_at,
  withdrawn,
  changelog,
  ...row
}: VersionRow): ScriptVersion {
  const notes = changelog === null ? null : splitChangelog(changelog)
  return {
    ...row,
    changelog: notes && notes.subject,
    changelog_details: notes && notes.details,
    created_at: created_at.toISOString(),
    state: toVersionState(row),
    state_since: state_since.toISOString(),
    held: row.state === 'held' ? toHold({ hold_reasons, confirmed_at, current_at }) : null,
    withdrawn: withdrawn && { ...withdrawn, withdrawn_at: new Date(withdrawn.withdrawn_at).toISOString() },
  }
}

/** Throws AppError `script_not_found`, also if the viewer may not see the script. */
export async function listVersions(db: Database, id: number, viewer: Viewer): Promise<ScriptVersion[]> {
  const rows = await findVersionRows(db, id, viewer)
  if (rows.length === 0) throw scriptNotFound()
  return rows.map(toVersion)
}

const versionNotFound = () => notFound('This version')

/** Throws AppError `not_found`, and `version_withdrawn` for everyone but the staff and, if `showsAuthor`, the author. */
export async function getVersion(
  db: Database,
  id: number,
  number: number,
  viewer: Viewer,
  { showsAuthor = false } = {},
): Promise<ScriptVersion & { script_content: string }> {
  const row = await findVersionRow(db, id, number, viewer)
  if (!row) throw versionNotFound()
  const isShown = row.state !== 'withdrawn' || isStaffViewer(viewer) || (showsAuthor && (await isOwn(db, id, viewer)))
  if (!isShown) throw await explainMissing(db, id, { number })
  const { content, ...version } = row
  return { ...toVersion(version), script_content: content }
}

async function isOwn(db: Database, id: number, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql`select from scripts where id = ${id} and author_id = ${viewer?.id ?? null}::int`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether an API token published this version. A program waits for its state with a token that may not read private scripts. */
export async function isPublishedBy(db: Database, id: number, number: number, tokenId: string): Promise<boolean> {
  const { rows } = await sql`select from script_versions
    where script_id = ${id} and number = ${number} and token_id = ${tokenId}`.execute(db)
  return rows.length > 0
}

/** Throws AppError `not_found`. */
export async function summarizeVersion(
  db: Database,
  id: number,
  number: number,
  viewer: Viewer,
): Promise<ScriptVersion> {
  const { script_content: _, ...version } = await getVersion(db, id, number, viewer)
  return version
}

/**
 * Adds a version with the code of an earlier one, unless it is the current code. Throws AppError `not_found`, `withdrawn_code`,
 * `upload_quota`, and what `requireOwnScript` and `lockMember` throw.
 */
export async function restoreVersion(
  options: WritingOptions,
  caller: Caller,
  id: number,
  number: number,
): Promise<Script> {
  return transactAsMember(options.db, { memberId: caller.id }, async (trx) => {
    const script = await lockOwnScript(trx, id, caller)
    const former = await findVersionRow(trx, id, number, caller)
    if (!former) throw versionNotFound()
    if (former.state === 'withdrawn') throw withdrawnCode()
    const publisher = caller.publisher ?? publishedBy('web')
    requireAccepted(script, publisher.provenance.by)
    if (former.sha256 !== script.sha256 && former.sha256 !== script.waiting?.sha256) {
      const stored = await addRestoredVersion(trx, id, script, former, publisher)
      await chargeUpload(trx, options.media.quota, caller.id, stored)
      await options.checks.start(trx, id, script)
    }
    return getScript({ ...options, db: trx }, id, caller)
  })
}

async function addRestoredVersion(
  trx: Transaction,
  id: number,
  script: OwnScript,
  former: VersionRow,
  publisher: Publisher,
): Promise<number> {
  const { properties, nextNumber } = script
  const version = await findNextVersion(trx, id, properties.version)
  await replaceWaiting(trx, id, version)
  const stored = await addVersion(trx, {
    id,
    number: nextNumber,
    version,
    changelog: `Restored ${former.version}`,
    from: former.number,
    state: properties.is_public ? 'checking' : 'private',
    publisher,
  })
  await settleScript(trx, id)
  return stored
}
