import { ANALYZER_VERSION, type Card } from '@scriptyard/luau-behavior'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Analyzer } from './analyzer.ts'
import { type StoredCard, toStoredCard, type Verdict } from './cards.ts'
import { copyToScripts } from './record.ts'

export interface AnalysisOptions {
  db: Database
  analyzer: Analyzer
  log: FastifyBaseLogger
}

/**
 * Analyzes a content and stores its card: first what reading the code finds, then all. Runs at least once for each
 * recorded content; a content whose card is finished is only copied to the scripts that have it.
 */
export async function analyzeCode(options: AnalysisOptions, sha256: string): Promise<void> {
  const { db } = options
  const content = await findContent(db, sha256)
  if (content === undefined) return
  if (!(await isFinished(db, sha256))) {
    const card = await read(options, sha256, content)
    await store(db, sha256, {
      status: card ? 'ready' : 'failed',
      card: card ? toStoredCard(card) : {},
      verdict: UNKNOWN,
    })
  }
  await copyToScripts(db, sha256)
}

const UNKNOWN: Verdict = { compiles: null, error: null }

async function read({ analyzer, log }: AnalysisOptions, sha256: string, content: string): Promise<Card | undefined> {
  try {
    return await analyzer.analyze(content)
  } catch (error) {
    log.warn({ reason: (error as Error).message, sha256 }, 'code analysis failed')
    return undefined
  }
}

async function findContent(db: Database, sha256: string): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`select content from script_versions
    where sha256 = ${sha256} limit 1`.execute(db)
  return rows[0]?.content
}

async function isFinished(db: Database, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from behavior_cards
    where sha256 = ${sha256} and analyzer_version = ${ANALYZER_VERSION} and status <> 'pending'`.execute(db)
  return rows.length > 0
}

interface Result {
  status: 'pending' | 'ready' | 'failed'
  card: StoredCard
  verdict: Verdict
}

async function store(db: Database, sha256: string, { status, card, verdict }: Result): Promise<void> {
  const { capabilities = [], hosts = [] } = card
  const row = {
    sha256,
    analyzer_version: ANALYZER_VERSION,
    status,
    compiles: verdict.compiles,
    compile_error: verdict.error && JSON.stringify(verdict.error),
    capabilities: capabilities.map(({ id }) => id),
    hosts: hosts.map(({ host }) => host),
    card: JSON.stringify(card),
    analyzed_at: sql<Date>`now()`,
  }
  await db
    .insertInto('behavior_cards')
    .values(row)
    .onConflict((conflict) => conflict.columns(['sha256', 'analyzer_version']).doUpdateSet(row))
    .execute()
}

const BATCH = 20

/** Analyzes what waits. */
export async function analyzeWaiting(options: AnalysisOptions): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ sha256: string }>`select sha256 from behavior_cards
      where status = 'pending' and analyzer_version = ${ANALYZER_VERSION} order by created_at limit ${BATCH}`.execute(
      options.db,
    )
    for (const { sha256 } of rows) await analyzeCode(options, sha256)
    if (rows.length < BATCH) return
  }
}
