// Stores the hash of the tokens of each content.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** `hashTokens` in a process that can do nothing else. Rejects if the process breaks. */
export type HashTokens = (content: string) => Promise<string | null>

/** Hashes the tokens of a content, unless they are hashed already. Also withdraws the tokens of withdrawn code. */
export async function recordHash(db: Database, sha256: string, hashTokens: HashTokens): Promise<void> {
  const { rows } = await sql<{ content: string }>`select content from script_versions where sha256 = ${sha256}
    and not exists (select from code_hashes where sha256 = ${sha256}) limit 1`.execute(db)
  const [row] = rows
  if (!row) return
  const tokenSha256 = await hashTokens(row.content)
  await sql`with stored as (
      insert into code_hashes (sha256, token_sha256) values (${sha256}, ${tokenSha256}) on conflict do nothing
    )
    insert into withdrawn_code (kind, sha256, script_id, withdrawn_at)
    select 'tokens', ${tokenSha256}, script_id, withdrawn_at from withdrawn_code
    where kind = 'bytes' and sha256 = ${sha256} and ${tokenSha256}::text is not null
    on conflict do nothing`.execute(db)
}

/** A hash of the last hour stays, because a transaction may be publishing its code. */
export async function deleteUnusedHashes(db: Database): Promise<void> {
  await sql`delete from code_hashes c where created_at < now() - interval '1 hour'
    and not exists (select from script_versions v where v.sha256 = c.sha256)`.execute(db)
}
