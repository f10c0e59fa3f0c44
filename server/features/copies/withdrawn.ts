// Code that may not be published again: withdrawn versions, and the code of scripts that moderators hid.
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { type RawBuilder, sql } from 'kysely'
import { SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type HashTokens, recordHash } from './hashes.ts'
import { isCopy } from './originals.ts'

export const withdrawnCode = () =>
  new AppError(
    'withdrawn_code',
    409,
    "This code was withdrawn, so it can't be published again. If moderators did that by mistake, you can appeal under “Decisions and appeals”.",
  )

/**
 * SQL condition: withdrawal `w` forbids this code in a script. What authors withdraw is rejected by its bytes in their script only,
 * what moderators withdraw in all scripts, also renamed and reformatted.
 */
export const forbids = (sha256: RawBuilder<unknown>, scriptId: number | null) => sql<boolean>`(w.reinstated_at is null
  and (w.sha256 = ${sha256} and (w.is_sitewide or w.script_id = ${scriptId}::int)
    or w.is_sitewide and w.token_sha256 = (select h.token_sha256 from code_hashes h where h.sha256 = ${sha256})))`

/** Whether code may not be published in a script. */
export async function isWithdrawnCode(db: Database, scriptId: number, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from withdrawals w where ${forbids(sql`${sha256}`, scriptId)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Hashes the tokens of code that is about to be published if there is code to compare them with. A hash that cannot be computed
 * is no reason to reject: the bytes are compared anyway.
 */
export async function hashForComparison(
  db: Database,
  code: { sha256: string; content?: string },
  hashTokens: HashTokens,
): Promise<void> {
  const { rows } = await sql`select from withdrawals where token_sha256 is not null and is_sitewide
    and reinstated_at is null limit 1`.execute(db)
  if (rows.length === 0) return
  await recordHash(db, code, hashTokens).catch((error: unknown) => {
    if (!(error instanceof SandboxError)) throw error
  })
}

/**
 * Whether the withdrawal of code counts in all scripts. A copy of another member's public script is withdrawn for being a copy, and
 * its code stays allowed. So does code that is too short to be anybody's own, unless it does something serious: `print(1)` is in
 * many scripts.
 */
export async function isSitewide(trx: Transaction, scriptId: number, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from script_versions v where v.script_id = ${scriptId} and v.sha256 = ${sha256}
    and (not ${isTiny} or exists (select from behavior_cards c
      where c.sha256 = v.sha256 and c.capabilities && ${[...SERIOUS_CAPABILITIES]}::text[])) limit 1`.execute(trx)
  return rows.length > 0 && !(await isCopy(trx, sha256, { scriptId }))
}

/** SQL condition: the code of version `v` is too short for a hash of its tokens. */
const isTiny = sql`coalesce((select h.token_sha256 is null from code_hashes h where h.sha256 = v.sha256), v.size < 200)`

/**
 * Withdraws the current code of a script that moderators hide, on its page or in a case. A deletion, which gives no reason that an
 * author could appeal, a ban, and a case that is resolved without hiding withdraw no code. Private scripts do not count: an error
 * must not reveal that they exist.
 */
export async function withdrawCodeOf(trx: Transaction, scriptId: number): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`select v.sha256 from scripts s
    join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${scriptId} and (s.is_public or s.was_public is true)`.execute(trx)
  const [code] = rows
  if (!code || !(await isSitewide(trx, scriptId, code.sha256))) return
  await sql`insert into withdrawals (script_id, sha256, token_sha256, subject, withdrawn_as, is_sitewide)
    values (${scriptId}, ${code.sha256}, (select token_sha256 from code_hashes where sha256 = ${code.sha256}), 'script',
      'moderators', true)
    on conflict do nothing`.execute(trx)
}

/** Allows the code of a script again: moderators show it again, or granted an appeal. Counts for all hidden scripts with the code. */
export async function reinstateCodeOf(trx: Transaction, scriptId: number): Promise<void> {
  await sql`update withdrawals w set reinstated_at = now() from withdrawals own
    where own.script_id = ${scriptId} and own.subject = 'script' and own.reinstated_at is null
      and w.subject = 'script' and w.reinstated_at is null
      and (w.sha256 = own.sha256 or w.token_sha256 = own.token_sha256)`.execute(trx)
}
