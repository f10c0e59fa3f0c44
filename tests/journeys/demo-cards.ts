import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fromRoot, hashOf } from '../../scripts/run/paths.mjs'
import type { DemoTemplate } from './site.ts'

const TIMEOUT_MS = 600_000
/** What the cards of the same code depend on. */
const ANALYZER = ['package-lock.json', 'packages/luau-behavior', 'server/features/behavior', 'db/migrations']

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

/**
 * Waits until the running server has analyzed all versions of all scripts. The analysis takes half a minute of processor
 * time, so its cards are kept for later runs with the same analyzer.
 */
export async function waitForCards({ connection, database }: DemoTemplate): Promise<void> {
  const file = fromRoot('node_modules/.cache/scriptyard', `demo-cards-${hashOf(...ANALYZER).slice(0, 16)}.json`)
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '[]'
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  const deadline = Date.now() + TIMEOUT_MS
  try {
    for (let unfinished = 1; unfinished > 0;) {
      if (Date.now() > deadline) throw new Error('The analysis of the demo scripts did not finish.')
      await sleep(100)
      await client.query(FINISH_WAITING, [known])
      const { rows } = await client.query<{ count: number }>(COUNT_UNFINISHED)
      unfinished = rows[0]?.count ?? 0
    }
    const { rows } = await client.query<{ cards: string }>('select json_agg(c)::text as cards from behavior_cards c')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, rows[0]?.cards ?? '[]')
  } finally {
    await client.end()
  }
}
