import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { findOfDebian } from './debian.mjs'
import { stopServersIn } from './leftovers.mjs'
import { compileCache, step } from './processes.mjs'
import { parentOfTestFiles } from './test-files.mjs'

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
  // Tests keep all their files, also those of PostgreSQL, which may run as another user, in one folder.
  const folder = mkdtempSync(path.join(parentOfTestFiles(), 'scriptyard-'))
  chmodSync(folder, 0o1777)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const env = { NODE_ENV: 'test', TMPDIR: folder, ...(task === 'test:full' ? ALL_QUERIES : {}) }
  // Packages are installed while the pages are built: one waits for the network, the other for the CPU.
  const building = task === 'test:unit' ? undefined : build(node)
  if (runners.some(({ args }) => args === PLAYWRIGHT.args)) env.CHROMIUM = await findChromium(node)
  // Where PgBouncer cannot be installed, its test fails and says so.
  const needsPgbouncer = words.length === 0 && ['test', 'test:full', 'coverage'].includes(task)
  if (needsPgbouncer && !process.env.PGBOUNCER) await findOfDebian('/usr/sbin/pgbouncer', 'pgbouncer')
  if (task !== 'test:unit') await fillCompileCache(node)
  await building
  const totals = { passed: 0, failed: 0 }
  for (const runner of runners) {
    const file = path.join(folder, `${path.basename(runner.args[0])}.summary`)
    const args = [...runner.args, ...runner.words]
    const code = await step(node, args, { ...env, SUMMARY_FILE: file }, { timeout: runner.timeout })
    // A runner that was killed leaves its PostgreSQL running.
    stopServersIn(folder)
    const { passed, failed } = readSummary(file)
    totals.passed += passed
    // A runner that ran nothing, or broke without a failed test, has failed.
    totals.failed += failed || (code !== 0 || passed === 0 ? 1 : 0)
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exit(totals.failed > 0 ? 1 : 0)
}

const SERVER_MODULES = ['prepare', 'serve'].map((name) => `await import('#server/processes/${name}.ts')`)

/**
 * Compiles the server's modules into Node's cache if root runs the tests. The sites that they start continue as another
 * user, which cannot write to the cache, and may read only what is made readable.
 */
async function fillCompileCache(node) {
  if (process.getuid?.() !== 0) return
  const cache = compileCache()
  mkdirSync(cache, { recursive: true })
  await step(node, ['--input-type=module', '-e', `${SERVER_MODULES.join('\n')}\nprocess.exit()`])
  for (const file of readdirSync(cache, { recursive: true })) chmodSync(path.join(cache, file), 0o755)
}

function readSummary(file) {
  try {
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(readFileSync(file, 'utf8')) ?? []
    return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
