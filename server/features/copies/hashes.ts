// Stores the hash of the tokens of each content.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** `hashTokens` in a process that can do nothing else. Rejects if the process breaks. */
export type HashTokens = (content: string) => Promise<string | null>

/** Hashes the tokens of a content, by default a stored one, unless they are hashed already. Also for its withdrawals. */
export async function recordHash(
  db: Database,
  { sha256, content }: { sha256: string; content?: string },
  hashTokens: HashTokens,
): Promise<void> {
  const stored = sql`(select content from script_versions where sha256 = ${sha256} limit 1)`
  const { rows } = await sql<{ content: string | null }>`select coalesce(${content ?? null}, ${stored}) as content
    where not exists (select from code_hashes where sha256 = ${sha256})`.execute(db)
  const found = rows[0]?.content
  if (typeof found !== 'string') return
  const tokenSha256 = await hashTokens(found)
  await sql`with stored as (
      insert into code_hashes (sha256, token_sha256) values (${sha256}, ${tokenSha256}) on conflict do nothing
    )
    update withdrawals set token_sha256 = ${tokenSha256}
    where sha256 = ${sha256} and token_sha256 is distinct from ${tokenSha256}`.execute(db)
}

/** A hash of the last hour stays, because a transaction may be publishing its code. */
export async function deleteUnusedHashes(db: Database): Promise<void> {
  await sql`delete from code_hashes c where created_at < now() - interval '1 hour'
    and not exists (select from script_versions v where v.sha256 = c.sha256)`.execute(db)
}
