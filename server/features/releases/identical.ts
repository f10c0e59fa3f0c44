import { sql } from 'kysely'
import { findDuplicate } from '#server/features/copies/originals.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { openCase } from '#server/features/reports/automatic.ts'
import type { Database } from '#server/platform/db/database.ts'

/** Copies that were published earlier were found by a later analysis, and nobody waits for a decision about them. */
const NEW_WITHIN = sql`interval '1 day'`
const BATCH = 20

interface Copy {
  id: number
  author_id: number
  number: number
}

/**
 * Opens a case about each public script that has just got the exact code of another member's script, once per version. Code that is
 * too short to be anybody's own is in many scripts.
 */
export async function reportIdenticalCode(db: Database, sha256: string): Promise<void> {
  const { rows } = await sql<Copy>`select s.id, s.author_id, v.number from scripts s
      join members m on m.id = s.author_id
      join script_versions v on v.script_id = s.id and v.number = s.current_version
    where v.sha256 = ${sha256} and ${isListed('s', 'm')} and s.updated_at > now() - ${NEW_WITHIN}
      and exists (select from code_hashes h where h.sha256 = v.sha256 and h.token_sha256 is not null)
      and not exists (select from report_cases c where c.subject_type = 'script' and c.subject_id = s.id
        and c.reason = 'identical_code' and c.version_number = v.number)
    order by s.id limit ${BATCH}`.execute(db)
  for (const { id, author_id, number } of rows) {
    const original = await findDuplicate(db, { sha256, authorId: author_id })
    if (!original?.exact) continue
    const detail = `The code of “${original.title}” by ${original.author}, /scripts/${original.slug}`
    const findings = [{ id: 'identical_code' as const, host: null, line: null, excerpt: '', detail }]
    await db
      .transaction()
      .execute((trx) => openCase(trx, { scriptId: id, reason: 'identical_code', version: number, findings }))
  }
}
