import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fromRoot, hashOf } from '../../scripts/run/paths.mjs'
import type { DemoTemplate } from './site.ts'

const TIMEOUT_MS = 600_000
/** The hash of the analyzer that made the cards, then one card per line. */
const FILE = fromRoot('tests/journeys/demo-cards.ndjson')
/** What the cards of the same code depend on. */
const ANALYZER = [
  'packages/luau-behavior/package.json',
  'packages/luau-behavior/src',
  'server/features/behavior/analyze.ts',
  'server/features/behavior/cards.ts',
]

/** Contents without a finished card, and scripts whose card has not had its consequences. */
const COUNT_UNFINISHED = `select (select count(*)::int from script_versions v where not exists (
    select from behavior_cards c where c.sha256 = v.sha256 and c.status <> 'pending'))
  + (select count(*)::int from script_behaviors where awaits_review or status = 'pending') as count`
/** Finishes cards that wait for their analysis, so that their jobs find them finished. Others would get no job. */
const FINISH_WAITING = `update behavior_cards c
  set (status, compiles, compile_error, capabilities, hosts, card, analyzed_at)
    = (k.status, k.compiles, k.compile_error, k.capabilities, k.hosts, k.card, now())
  from json_populate_recordset(null::behavior_cards, $1) k
  where k.sha256 = c.sha256 and k.analyzer_version = c.analyzer_version and c.status = 'pending'`
const READ_CARDS = `select (to_jsonb(c) - 'created_at' - 'analyzed_at')::text as card from behavior_cards c
  where status <> 'pending' order by sha256, analyzer_version`

/**
 * Waits until the running server has analyzed all versions of all scripts. The analysis takes half a minute of processor
 * time, so its cards are stored in the repository and only made again if the analyzer or the scripts have changed.
 */
export async function waitForCards({ connection, database }: DemoTemplate): Promise<void> {
  const analyzer = JSON.stringify({ analyzer: hashOf(...ANALYZER) })
  const stored = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const [header, ...known] = stored.trimEnd().split('\n')
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  const deadline = Date.now() + TIMEOUT_MS
  try {
    for (let unfinished = 1; unfinished > 0;) {
      if (Date.now() > deadline) throw new Error('The analysis of the demo scripts did not finish.')
      await sleep(100)
      if (header === analyzer) await client.query(FINISH_WAITING, [`[${known.join(',')}]`])
      const { rows } = await client.query<{ count: number }>(COUNT_UNFINISHED)
      unfinished = rows[0]?.count ?? 0
    }
    const { rows } = await client.query<{ card: string }>(READ_CARDS)
    const current = `${[analyzer, ...rows.map(({ card }) => card)].join('\n')}\n`
    if (current !== stored) writeFileSync(FILE, current)
  } finally {
    await client.end()
  }
}
