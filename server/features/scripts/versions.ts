import type { Script, ScriptVersion } from '#contract/scripts.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { chargeUpload } from '#server/platform/media/upload-quota.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notFound } from '#server/platform/http/errors.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { announceChange } from './change.ts'
import { getScript, type WritingOptions } from './read.ts'
import { copyVersion, findVersionRow, findVersionRows, lockOwnScript, nextUpdate, type VersionRow } from './queries.ts'
import { findNextVersion } from './version-number.ts'
import { scriptNotFound, type Viewer } from './visibility.ts'

const toVersion = ({ created_at, ...row }: VersionRow): ScriptVersion => ({
  ...row,
  created_at: created_at.toISOString(),
})

/** Throws AppError `script_not_found`, also if the viewer may not see the script. */
export async function listVersions(db: Database, id: number, viewer: Viewer): Promise<ScriptVersion[]> {
  const rows = await findVersionRows(db, id, viewer)
  if (rows.length === 0) throw scriptNotFound()
  return rows.map(toVersion)
}

const versionNotFound = () => notFound('This version')

/** Throws AppError `not_found`. */
export async function getVersion(
  db: Database,
  id: number,
  number: number,
  viewer: Viewer,
): Promise<ScriptVersion & { script_content: string }> {
  const row = await findVersionRow(db, id, number, viewer)
  if (!row) throw versionNotFound()
  const { content, ...version } = row
  return { ...toVersion(version), script_content: content }
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

/** Adds a version with the code of an earlier one, unless it is the current code. Throws AppError `not_found`, `upload_quota`, and what `requireOwnScript` and `lockMember` throw. */
export async function restoreVersion(
  options: WritingOptions,
  caller: Caller,
  id: number,
  number: number,
): Promise<Script> {
  return transactAsMember(options.db, { memberId: caller.id }, async (trx) => {
    const current = await lockOwnScript(trx, id, caller)
    const { currentVersion, sha256, properties } = current
    const former = await findVersionRow(trx, id, number, caller)
    if (!former) throw versionNotFound()
    if (former.sha256 !== sha256) {
      const version = await findNextVersion(trx, id, properties.version)
      const stored = await addRestoredVersion(trx, id, former, { number: currentVersion + 1, version })
      await chargeUpload(trx, options.media.quota, caller.id, stored)
      await options.recordCode(trx, id)
      await announceChange(trx, options, { id, authorId: caller.id, former: current })
    }
    return getScript({ ...options, db: trx }, id, caller)
  })
}

async function addRestoredVersion(
  trx: Transaction,
  id: number,
  former: VersionRow,
  { number, version }: { number: number; version: string },
): Promise<number> {
  const { size } = former
  await copyVersion(trx, { id, from: former.number, number, version, changelog: `Restored ${former.version}` })
  await trx
    .updateTable('scripts')
    .set({ version, file_size: size, current_version: number, updated_at: nextUpdate })
    .where('id', '=', id)
    .execute()
  return size
}
