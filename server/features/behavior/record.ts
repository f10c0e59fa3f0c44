import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { Behavior } from '#contract/behavior.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { EnqueueOptions, JobQueue } from '#server/platform/jobs/queue.ts'
import { contactedHosts, type StoredCard, toVerdict, type Verdict } from './cards.ts'

/** SQL: the card `c` to show for a content: a finished one, of the newest analyzer. */
const bestCard = (sha256: ReturnType<typeof sql>) => sql`left join lateral (select * from behavior_cards
  where sha256 = ${sha256} order by status = 'ready' desc, analyzer_version desc limit 1) c on true`

/** Call it in the transaction that adds a version or makes a script public. Content analyzed before has its card. */
export async function recordCode(jobs: JobQueue, trx: Transaction, scriptId: number): Promise<void> {
  const { rows: former } = await sql<{ sha256: string }>`select sha256 from script_behaviors
    where script_id = ${scriptId} and status = 'pending' for update`.execute(trx)
  const { rows } = await sql<{ sha256: string; author_id: number }>`insert into script_behaviors
      (script_id, sha256, analyzer_version, status, compiles, capabilities, hosts, awaits_review)
    select s.id, v.sha256, coalesce(c.analyzer_version, ${ANALYZER_VERSION}), coalesce(c.status, 'pending'), c.compiles,
      coalesce(c.capabilities, '{}'), coalesce(c.hosts, '{}'), true
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
      ${bestCard(sql`v.sha256`)}
    where s.id = ${scriptId}
    on conflict (script_id) do update set sha256 = excluded.sha256, analyzer_version = excluded.analyzer_version,
      status = excluded.status, compiles = excluded.compiles, capabilities = excluded.capabilities,
      hosts = excluded.hosts, awaits_review = true, updated_at = now()
    returning sha256, (select author_id from scripts where id = script_id) as author_id`.execute(trx)
  const [row] = rows
  if (!row) return
  await requestAnalysis(jobs, trx, row.sha256, 'analyze-code', { key: `script-${scriptId}`, memberId: row.author_id })
  if (former[0] && former[0].sha256 !== row.sha256) await forgetReplaced(trx, former[0].sha256)
}

/** Former code of a script whose job was replaced: without a card, the search for such code finds it. */
async function forgetReplaced(trx: Transaction, sha256: string): Promise<void> {
  await sql`delete from behavior_cards where sha256 = ${sha256} and analyzer_version = ${ANALYZER_VERSION}
    and status = 'pending' and not exists (select from script_behaviors b where b.sha256 = ${sha256})`.execute(trx)
}

/** Older than any analyzer: the search for code without a card finds such a row. */
const NO_ANALYZER = 0

/** Records the code of all scripts as newly published, without a job queue, as `recordCodeForScan` does for one. */
export async function recordAllCode(trx: Transaction): Promise<void> {
  await sql`insert into script_behaviors (script_id, sha256, analyzer_version, status, awaits_review)
    select s.id, v.sha256, ${NO_ANALYZER}, 'pending', true
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    order by s.id on conflict do nothing`.execute(trx)
}

/** Like `recordCode` without a job queue: the search for code without a card requests the analysis. */
export async function recordCodeForScan(trx: Transaction, scriptId: number): Promise<void> {
  await sql`insert into script_behaviors (script_id, sha256, analyzer_version, status, awaits_review)
    select s.id, v.sha256, ${NO_ANALYZER}, 'pending', true
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${scriptId}
    on conflict (script_id) do update set sha256 = excluded.sha256, analyzer_version = excluded.analyzer_version,
      status = excluded.status, compiles = null, capabilities = '{}', hosts = '{}', awaits_review = true,
      updated_at = now()`.execute(trx)
}

/** Copies imported cards to the scripts whose current code they describe. Nobody is notified of them. */
export async function recordCardsOfAllCode(trx: Transaction): Promise<void> {
  await sql`insert into script_behaviors
      (script_id, sha256, analyzer_version, status, compiles, capabilities, hosts, awaits_review)
    select s.id, c.sha256, c.analyzer_version, c.status, c.compiles, c.capabilities, c.hosts, false
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
      ${bestCard(sql`v.sha256`)}
    where c.status = 'ready' order by s.id on conflict do nothing`.execute(trx)
  await sql`insert into behavior_hosts (host)
    select distinct host from script_behaviors cross join unnest(hosts) host order by host
    on conflict do nothing`.execute(trx)
}

/** Adds the job even if the card is finished: a script that has just received this content awaits its review. */
export async function requestAnalysis(
  jobs: JobQueue,
  trx: Transaction,
  sha256: string,
  queue: 'analyze-code' | 'reanalyze-code',
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`insert into behavior_cards (sha256, analyzer_version, status)
    values (${sha256}, ${ANALYZER_VERSION}, 'pending') on conflict do nothing`.execute(trx)
  await jobs.enqueue(trx, queue, { sha256 }, options)
}

const SYNC_BATCH = 200
/** A row that has had other code than its script for this long was not written by the transaction that changed the code. */
const STALE_AFTER = sql`interval '10 minutes'`

/** Each batch is a transaction. A card that waits or failed does not replace a finished one of an older analyzer. */
export async function copyToScripts(db: Database, sha256: string): Promise<void> {
  let last = 0
  for (;;) {
    const after = last
    // A script that gets other code at the same time has a row with another hash, which stays.
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
            sha256 = excluded.sha256, updated_at = now()
          where (b.sha256 = excluded.sha256 or b.updated_at < now() - ${STALE_AFTER})
            and (excluded.status = 'ready' or b.status <> 'ready' or b.sha256 <> excluded.sha256)
        )
        select id from found order by id`.execute(trx)
      return rows.map((row) => row.id)
    })
    last = ids.at(-1) ?? last
    if (ids.length < SYNC_BATCH) return
  }
}

interface AnalyzedCard {
  status: Behavior['status']
  card: StoredCard
  verdict: Verdict
}

export async function storeCard(db: Database, sha256: string, { status, card, verdict }: AnalyzedCard): Promise<void> {
  const { capabilities = [] } = card
  const row = {
    status,
    compiles: verdict.compiles,
    compile_error: verdict.error && JSON.stringify(toVerdict(verdict).error),
    capabilities: capabilities.map(({ id }) => id),
    hosts: contactedHosts(card),
    card: JSON.stringify(card),
    analyzed_at: sql<Date>`now()`,
  }
  await db
    .insertInto('behavior_cards')
    .values({ sha256, analyzer_version: ANALYZER_VERSION, ...row })
    .onConflict((conflict) => conflict.columns(['sha256', 'analyzer_version']).doUpdateSet(row))
    .execute()
}

/** Records the hosts of a content if it is public, for moderators, who must not see the hosts of private code. */
export async function recordHosts(db: Database, sha256: string): Promise<void> {
  await sql`insert into behavior_hosts (host) select distinct host from behavior_cards c cross join unnest(c.hosts) host
    where c.sha256 = ${sha256} and c.analyzer_version = ${ANALYZER_VERSION} and exists (
      select from script_versions v join scripts s on s.id = v.script_id and s.current_version = v.number
      where v.sha256 = c.sha256 and s.is_public)
    order by host on conflict do nothing`.execute(db)
}
