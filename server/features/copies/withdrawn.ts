// Code that moderators removed cannot be published again, not even renamed and reformatted.
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { sql } from 'kysely'
import { SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type HashTokens, recordHash } from './hashes.ts'
import { isCopy } from './originals.ts'

const withdrawnCode = () =>
  new AppError(
    'withdrawn_code',
    409,
    "Moderators removed this code, so it can't be published again. If you think that was a mistake, you can appeal under “Decisions and appeals”.",
  )

/**
 * Call it in the transaction that adds a version or makes a script public. Throws AppError `withdrawn_code` if moderators
 * removed this code, even if they hid another script with it. A hash that cannot be computed is no reason to reject: the bytes
 * are compared anyway.
 */
export async function rejectRemovedCode(
  trx: Transaction,
  sha256: string,
  hashTokens: HashTokens | undefined,
): Promise<void> {
  const { rows } = await sql`select from withdrawn_code where kind = 'tokens' limit 1`.execute(trx)
  if (hashTokens && rows.length > 0) await recordHash(trx, sha256, hashTokens).catch(ignoreSandboxError)
  if (await isRemovedCode(trx, sha256)) throw withdrawnCode()
}

function ignoreSandboxError(error: unknown): undefined {
  if (!(error instanceof SandboxError)) throw error
}

/** Whether moderators removed this code, or code with the same tokens. */
export async function isRemovedCode(db: Database, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from withdrawn_code where kind = 'bytes' and sha256 = ${sha256}
    union all select from withdrawn_code w join code_hashes h on h.token_sha256 = w.sha256
      where w.kind = 'tokens' and h.sha256 = ${sha256}
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Records the current code of a script as removed by moderators, which hiding a script is, on its page or in a case. These are
 * not: a deletion, which gives no reason that an author could appeal, a ban, and a case that is resolved without hiding. A copy of another member's public script is removed for being a copy, and its code stays allowed. So does code that is
 * too short to be anybody's own, unless it does something serious: `print(1)` is in many scripts. Private scripts
 * do not count: an error must not reveal that they exist.
 */
export async function withdrawCode(trx: Transaction, scriptId: number): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`select v.sha256 from scripts s
    join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${scriptId} and (s.is_public or s.was_public is true)
      and (not ${isTiny} or exists (select from behavior_cards c
        where c.sha256 = v.sha256 and c.capabilities && ${[...SERIOUS_CAPABILITIES]}::text[]))`.execute(trx)
  const [code] = rows
  if (!code || (await isCopy(trx, code.sha256, { scriptId }))) return
  await sql`insert into withdrawn_code (kind, sha256, script_id)
    select 'bytes', ${code.sha256}, ${scriptId}::int
    union all select 'tokens', token_sha256, ${scriptId} from code_hashes
      where sha256 = ${code.sha256} and token_sha256 is not null
    on conflict do nothing`.execute(trx)
}

/** SQL condition: the code of version `v` is too short for a hash of its tokens. */
const isTiny = sql`coalesce((select h.token_sha256 is null from code_hashes h where h.sha256 = v.sha256), v.size < 200)`

/** Allows the code of a script again: moderators show it again, or granted an appeal. Counts for all scripts with the code. */
export async function reinstateCode(trx: Transaction, scriptId: number): Promise<void> {
  await sql`delete from withdrawn_code w using withdrawn_code own
    where own.script_id = ${scriptId} and w.kind = own.kind and w.sha256 = own.sha256`.execute(trx)
}
