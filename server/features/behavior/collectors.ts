// Cases about public scripts that contact a host which moderators marked as a collector of data.
import { sql } from 'kysely'
import type { CaseFinding } from '#contract/reports.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { openCase } from '#server/features/reports/automatic.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { StoredCard } from './cards.ts'

const BATCH = 100

interface Contact {
  number: number
  collectors: string[]
  card: StoredCard | null
}

/** Opens a case about a script's current code if it contacts a collector. */
export async function reportCollectors(trx: Transaction, scriptId: number): Promise<void> {
  const { rows } = await sql<Contact>`select s.current_version as number, h.collectors, c.card
    from script_behaviors b join scripts s on s.id = b.script_id and s.is_public
      left join behavior_cards c on c.sha256 = b.sha256 and c.analyzer_version = b.analyzer_version
      cross join lateral (select array_agg(host order by host) as collectors from behavior_hosts
        where host = any(b.hosts) and kind = 'collector') h
    where b.script_id = ${scriptId} and h.collectors is not null`.execute(trx)
  const [row] = rows
  if (!row) return
  const { number, collectors, card } = row
  const findings = collectors.map((host) => toFinding(host, card))
  await openCase(trx, { scriptId, reason: 'collector', version: number, findings })
}

/** With the line that names the host, if the card has one. */
function toFinding(host: string, card: StoredCard | null): CaseFinding {
  const parts = (card?.capabilities ?? []).flatMap(({ evidence }) => evidence)
  const part = parts.find(({ detail }) => detail.toLowerCase().includes(host))
  const line = part?.line ?? card?.hosts?.find((found) => found.host === host)?.line ?? null
  const detail = part?.detail ?? 'Moderators marked this host as a collector of data.'
  return { id: 'collector', host, line, excerpt: part?.excerpt ?? '', detail }
}

/** Opens cases about all public scripts that contact a host. It goes on after the last one if it is interrupted and runs again. */
export async function reportScriptsOfHost(db: Database, host: string, signal: AbortSignal): Promise<void> {
  for (let last = 0; !signal.aborted;) {
    const { rows } = await sql<{ script_id: number }>`select b.script_id
      from script_behaviors b join scripts s on s.id = b.script_id join members m on m.id = s.author_id
      where b.hosts @> array[${host}]::text[] and b.script_id > ${last} and ${isReachable('s', 'm')}
        and exists (select from behavior_hosts h where h.host = ${host} and h.kind = 'collector')
      order by b.script_id limit ${BATCH}`.execute(db)
    for (const { script_id } of rows) {
      await db.transaction().execute((trx) => reportCollectors(trx, script_id))
      last = script_id
    }
    if (rows.length < BATCH) return
  }
  signal.throwIfAborted()
}
