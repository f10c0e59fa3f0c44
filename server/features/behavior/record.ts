import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** SQL: the card `c` to show for a content: a finished one, of the newest analyzer. */
const bestCard = (sha256: ReturnType<typeof sql>) => sql`left join lateral (select * from behavior_cards
  where sha256 = ${sha256} order by status = 'ready' desc, analyzer_version desc limit 1) c on true`

/**
 * Records the current code of a script, for the analysis after the commit. Content that was analyzed before has its card at
 * once. Call it in the transaction that adds a version, and when a script becomes public.
 */
export async function recordCode(trx: Database, scriptId: number): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`insert into script_behaviors
      (script_id, sha256, analyzer_version, status, compiles, capabilities, hosts, awaits_review)
    select s.id, v.sha256, coalesce(c.analyzer_version, ${ANALYZER_VERSION}), coalesce(c.status, 'pending'), c.compiles,
      coalesce(c.capabilities, '{}'), coalesce(c.hosts, '{}'), true
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
      ${bestCard(sql`v.sha256`)}
    where s.id = ${scriptId}
    on conflict (script_id) do update set sha256 = excluded.sha256, analyzer_version = excluded.analyzer_version,
      status = excluded.status, compiles = excluded.compiles, capabilities = excluded.capabilities,
      hosts = excluded.hosts, awaits_review = true, updated_at = now()
    returning sha256`.execute(trx)
  for (const { sha256 } of rows) await requestAnalysis(trx, sha256)
}

/** Adds a card that waits for the analysis, unless this version of the analyzer has one for the content. */
export async function requestAnalysis(trx: Database, sha256: string): Promise<void> {
  await sql`insert into behavior_cards (sha256, analyzer_version, status)
    values (${sha256}, ${ANALYZER_VERSION}, 'pending') on conflict do nothing`.execute(trx)
}

const SYNC_BATCH = 200

/**
 * Copies a card to all scripts whose current version has its content, in batches of their own transactions, so that their
 * pages are read again. A card that waits or failed does not replace a finished one of an older analyzer.
 */
export async function copyToScripts(db: Database, sha256: string): Promise<void> {
  let last = 0
  for (;;) {
    const after = last
    // The row of a script that gets other code at the same time is locked or has another hash: it stays.
    const ids = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: number }>`with found as (
          select s.id from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
          where v.sha256 = ${sha256} and s.id > ${after} order by s.id limit ${SYNC_BATCH}
        ), copied as (
          insert into script_behaviors as b
            (script_id, sha256, analyzer_version, status, compiles, capabilities, hosts)
          select f.id, c.sha256, c.analyzer_version, c.status, c.compiles, c.capabilities, c.hosts
            from found f cross join behavior_cards c
            where c.sha256 = ${sha256} and c.analyzer_version = ${ANALYZER_VERSION} order by f.id
          on conflict (script_id) do update set analyzer_version = excluded.analyzer_version, status = excluded.status,
            compiles = excluded.compiles, capabilities = excluded.capabilities, hosts = excluded.hosts,
            updated_at = now()
          where b.sha256 = excluded.sha256 and (excluded.status = 'ready' or b.status <> 'ready')
        )
        select id from found order by id`.execute(trx)
      return rows.map((row) => row.id)
    })
    last = ids.at(-1) ?? last
    if (ids.length < SYNC_BATCH) return
  }
}
