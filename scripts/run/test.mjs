import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { findOfDebian } from './debian.mjs'
import { step } from './processes.mjs'

const MINUTE_MS = 60_000
// A runner that hangs is stopped, so that the totals are printed all the same.
const VITEST = { args: ['node_modules/vitest/vitest.mjs', 'run'], timeout: 15 * MINUTE_MS }
const PLAYWRIGHT = { args: ['node_modules/@playwright/test/cli.js', 'test'], timeout: 26 * MINUTE_MS }
/** Every query of the agreement test, instead of the 3,000 of a usual run. */
const ALL_QUERIES = { AGREEMENT_QUERIES: '1000000' }

const isOption = (word) => word.startsWith('-')
const isJourney = (word) => /journeys|\.spec\b/.test(word)

/**
 * The runners of an npm script with their arguments. `words` are the files and options after `npm test --`: journeys go to
 * Playwright, other files to Vitest, options to both.
 */
function selectRunners(task, words) {
  if (task === 'test:unit') return [{ ...VITEST, words: ['--project', 'unit', ...words] }]
  if (task === 'test:api') return [{ ...VITEST, words: ['--project', 'api', ...words] }]
  if (task === 'test:journeys') return [{ ...PLAYWRIGHT, words }]
  if (task === 'coverage') return [{ ...VITEST, words: ['--coverage', ...words] }]
  const files = words.filter((word) => !isOption(word))
  const vitest = { ...VITEST, words: words.filter((word) => !isJourney(word)) }
  const playwright = { ...PLAYWRIGHT, words: words.filter((word) => isJourney(word) || isOption(word)) }
  if (words.length === 0) return [vitest, playwright]
  if (!files.some(isJourney)) return [vitest]
  return files.every(isJourney) ? [playwright] : [vitest, playwright]
}

/** Installs and builds what the runners need, runs each to its end and prints the totals. Exits with 1 if anything failed. */
export async function runTests(node, task, words) {
  const runners = selectRunners(task, words)
  const env = { NODE_ENV: 'test', ...(task === 'test:full' ? ALL_QUERIES : {}) }
  if (runners.some(({ args }) => args === PLAYWRIGHT.args)) env.CHROMIUM = await findChromium(node)
  // Where PgBouncer cannot be installed, its test fails and says so.
  const needsPgbouncer = words.length === 0 && ['test', 'test:full', 'coverage'].includes(task)
  if (needsPgbouncer && !process.env.PGBOUNCER) findOfDebian('/usr/sbin/pgbouncer', 'pgbouncer')
  if (task !== 'test:unit') await build(node)
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-totals-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const totals = { passed: 0, failed: 0 }
  for (const runner of runners) {
    const file = path.join(folder, path.basename(runner.args[0]))
    const args = [...runner.args, ...runner.words]
    const code = await step(node, args, { ...env, SUMMARY_FILE: file }, { timeout: runner.timeout })
    const { passed, failed } = readSummary(file)
    totals.passed += passed
    // A runner that ran nothing, or broke without a failed test, has failed.
    totals.failed += failed || (code !== 0 || passed === 0 ? 1 : 0)
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exit(totals.failed > 0 ? 1 : 0)
}

function readSummary(file) {
  try {
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(readFileSync(file, 'utf8')) ?? []
    return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
