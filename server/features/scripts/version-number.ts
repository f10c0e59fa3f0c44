import { describeUsedVersion, isUsedVersion, nextVersion } from '#contract/version-number.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'

interface VersionRequest {
  id: number
  /** The script's current version number. */
  current: string
  hasNewCode: boolean
  /** The number that the client sent, if any. */
  sent: string | undefined
}

/**
 * The number of the version that a change adds, undefined if it adds none. Call it with the script locked, so that
 * concurrent changes get different numbers. Throws AppError `version_exists`.
 */
export async function chooseVersion(
  trx: Transaction,
  { id, current, hasNewCode, sent }: VersionRequest,
): Promise<string | undefined> {
  if (!hasNewCode && (sent === undefined || sent === current)) return undefined
  const used = await findVersionNumbers(trx, id)
  if (sent === undefined) return nextVersion(current, used)
  if (isUsedVersion(sent, used)) throw versionExists(sent, nextVersion(current, used))
  return sent
}

/** The first unused number after the current one. */
export async function findNextVersion(trx: Transaction, id: number, current: string): Promise<string> {
  return nextVersion(current, await findVersionNumbers(trx, id))
}

async function findVersionNumbers(trx: Transaction, id: number): Promise<string[]> {
  const rows = await trx.selectFrom('script_versions').select('version').where('script_id', '=', id).execute()
  return rows.map(({ version }) => version)
}

function versionExists(version: string, next: string): AppError {
  const message = describeUsedVersion(version, next)
  return new AppError('version_exists', 409, message, { fields: { version: message } })
}
