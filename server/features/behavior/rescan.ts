// Finds code without a hash, or without a card of this version of the analyzer: of scripts that were published before cards existed, or before
// the analyzer changed.
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { requestAnalysis } from './record.ts'

const MAX_WAITING = 100
const BATCH = 500
/** Batches in which nothing is missing, per run: a pass over a million scripts takes minutes, and each run milliseconds. */
const MAX_BATCHES = 20
const PAUSE_MS = 60 * 60_000

interface Batch {
  /** Id of the last script that was examined; null at the end of the pass. */
  last: number | null
  missing: string[]
}

const lacksCard = (sha256: RawBuilder<unknown>) => sql`not exists (select from behavior_cards c
  where c.sha256 = ${sha256} and c.analyzer_version = ${ANALYZER_VERSION})`

const lacksHash = (sha256: RawBuilder<unknown>) =>
  sql`not exists (select from code_hashes h where h.sha256 = ${sha256})`

const selectCurrent = (where: RawBuilder<unknown>, after: number) => sql<Batch>`select max(x.id) as last,
    coalesce(array_agg(distinct x.sha256) filter (where x.is_missing), '{}') as missing from (
  select s.id, v.sha256, b.script_id is null or b.sha256 <> v.sha256 or b.analyzer_version < ${ANALYZER_VERSION}
    and ${lacksCard(sql`v.sha256`)} as is_missing
  from scripts s join members m on m.id = s.author_id
    join script_versions v on v.script_id = s.id and v.number = s.current_version
    left join script_behaviors b on b.script_id = s.id
  where s.id > ${after} and ${where} order by s.id limit ${BATCH}) x`

const selectVersions = (after: number) => sql<Batch>`select max(x.id) as last,
    coalesce(array_agg(distinct v.sha256) filter (
    where ${lacksCard(sql`v.sha256`)} or ${lacksHash(sql`v.sha256`)}), '{}') as missing
  from (select id from scripts where id > ${after} order by id limit ${BATCH}) x
  join script_versions v on v.script_id = x.id`

/** Scripts that visitors see come first. */
const PASSES: readonly ((after: number) => RawBuilder<Batch>)[] = [
  (after) => selectCurrent(isReachable('s', 'm'), after),
  (after) => selectCurrent(sql`true`, after),
  selectVersions,
]

export class Rescan {
  readonly #db: Database
  readonly #jobs: JobQueue
  #pass = 0
  #after = 0
  #pausedUntil = 0

  constructor(db: Database, jobs: JobQueue) {
    this.#db = db
    this.#jobs = jobs
  }

  async run(): Promise<void> {
    let room = MAX_WAITING - (await this.#countWaiting())
    for (let i = 0; i < MAX_BATCHES && room > 0 && Date.now() >= this.#pausedUntil; i++)
      room -= await this.#runBatch(room)
  }

  async #countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from behavior_cards
      where status = 'pending'`.execute(this.#db)
    return rows[0]?.count ?? 0
  }

  /** Returns the number of requests. A batch that needs more of them than there is room for is read again. */
  async #runBatch(room: number): Promise<number> {
    const select = PASSES[this.#pass]
    if (!select) return this.#pause()
    const { rows } = await select(this.#after).execute(this.#db)
    const { last, missing } = rows[0] ?? { last: null, missing: [] }
    const requested = missing.slice(0, room)
    await this.#db.transaction().execute(async (trx) => {
      for (const sha256 of requested) await requestAnalysis(this.#jobs, trx, sha256, 'reanalyze-code')
    })
    if (requested.length < missing.length) return requested.length
    this.#after = last ?? 0
    if (last === null) this.#pass++
    return requested.length
  }

  #pause(): number {
    this.#pass = 0
    this.#after = 0
    this.#pausedUntil = Date.now() + PAUSE_MS
    return 0
  }
}

const HEX = Array.from('0123456789abcdef')

/** A card of the last hour stays, because a transaction may be publishing its code. */
export async function deleteUnusedCards(db: Database): Promise<void> {
  for (const [i, from] of HEX.entries()) {
    await sql`delete from behavior_cards c where c.sha256 >= ${from} and c.sha256 < ${HEX[i + 1] ?? 'g'}
      and c.created_at < now() - interval '1 hour'
      and (not exists (select from script_versions v where v.sha256 = c.sha256)
        or c.analyzer_version < ${ANALYZER_VERSION}
          and exists (select from behavior_cards n where n.sha256 = c.sha256 and n.status = 'ready'
            and n.analyzer_version = ${ANALYZER_VERSION} and n.analyzed_at < now() - interval '1 hour'))`.execute(db)
  }
}
