import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { waitForCards } from './demo-cards.ts'
import { type DemoTemplate, runStatement, startServer } from './site.ts'

/** Each browser has a site, and some journeys start another one. */
const MAX_CONNECTIONS = 200

/**
 * Starts a PostgreSQL for the run and fills a database with the demo catalogue, as a template of the workers' sites. Then
 * waits for the runner before this one (scripts/run/test.mjs).
 */
export default async function startTemplate(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-journeys-'))
  // PostgreSQL runs as another user when root runs the tests, and has to reach its folder.
  chmodSync(folder, 0o755)
  const postgres = await startPostgres({ dataDir: path.join(folder, 'cluster'), maxConnections: MAX_CONNECTIONS })
  const close = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const template: DemoTemplate = { connection: postgres.connection, database: 'demo', folder }
  try {
    await runStatement(template.connection, `create database ${template.database}`)
    const server = await startServer(template, template.database)
    // Once here, and not in each clone during the journeys.
    await waitForCards(template)
    await server.close()
    await waitForTurn()
  } catch (error) {
    await close()
    throw error
  }
  // Inherited by the workers.
  process.env['DEMO_TEMPLATE'] = JSON.stringify(template)
  return close
}

const TURN_CHECK_MS = 200

async function waitForTurn(): Promise<void> {
  const runnerBefore = process.env['RUNNER_BEFORE'] ?? ''
  while (existsSync(runnerBefore)) await sleep(TURN_CHECK_MS)
}
