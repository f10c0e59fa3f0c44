import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { findOfDebian } from './debian.mjs'
import { stopServersIn } from './leftovers.mjs'
import { fromRoot } from './paths.mjs'
import { compileCache, must, step } from './processes.mjs'
import { parentOfTestFiles } from './test-files.mjs'

const MINUTE_MS = 60_000
// A runner that hangs is stopped, so that the totals are printed all the same.
const VITEST = { args: ['node_modules/vitest/vitest.mjs', 'run'], timeout: 15 * MINUTE_MS }
// Includes the time that journeys wait for Vitest.
const PLAYWRIGHT = { args: ['node_modules/@playwright/test/cli.js', 'test'], timeout: 41 * MINUTE_MS }
/** Every repetition of races and random cases, of which a usual run has a share. See tests/support/seed.ts. */
const FULL = { TEST_FULL: '1' }

const isOption = (word) => word.startsWith('-')
const isJourney = (word) => /journeys|\.spec\b/.test(word)

/**
 * The runners of an npm script with their arguments. `words` are the files and options after `npm test --`: journeys go to
 * Playwright, other files to Vitest, options to both.
 */
function selectRunners(task, words) {
  if (task === 'test:unit') return [{ ...VITEST, words: ['--project', 'unit', ...words] }]
  if (task === 'test:api') return [{ ...VITEST, words: ['--project', 'server', ...words], env: { TEST_KIND: 'api' } }]
  if (task === 'test:journeys') return [{ ...PLAYWRIGHT, words }]
  if (task === 'coverage') return [{ ...VITEST, words: ['--coverage', ...words] }]
  const files = words.filter((word) => !isOption(word))
  const vitest = { ...VITEST, words: words.filter((word) => !isJourney(word)) }
  const playwright = { ...PLAYWRIGHT, words: words.filter((word) => isJourney(word) || isOption(word)) }
  if (words.length === 0) return [vitest, playwright]
  if (!files.some(isJourney)) return [vitest]
  return files.every(isJourney) ? [playwright] : [vitest, playwright]
}

export async function runTests(node, task, words) {
  const runners = selectRunners(task, words)
  // Tests keep all their files, also those of PostgreSQL, which may run as another user, in one folder.
  const folder = mkdtempSync(path.join(parentOfTestFiles(), 'scriptyard-'))
  chmodSync(folder, 0o1777)
  process.on('exit', () => {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) stopServersIn(path.join(folder, entry.name))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  limitCompileCache()
  const env = { NODE_ENV: 'test', TMPDIR: folder, ...(task === 'test:full' ? FULL : {}) }
  // Packages are installed while the pages are built: one waits for the network, the other for the CPU.
  const building = task === 'test:unit' ? undefined : build(node)
  // Where PgBouncer cannot be installed, its test fails and says so.
  const needsPgbouncer = words.length === 0 && ['test', 'test:full', 'coverage'].includes(task)
  if (needsPgbouncer && !process.env.PGBOUNCER) await findOfDebian('/usr/sbin/pgbouncer', 'pgbouncer')
  // Vitest does not wait for the browser.
  const chromium = runners.some(({ args }) => args === PLAYWRIGHT.args) ? findChromium(node) : undefined
  await building
  if (task !== 'test:unit') await fillCompileCache(node)
  const totals = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const names = []
  const run = async (runner, more) => {
    const name = path.basename(runner.args[0])
    // Each runner has its own folder: a runner that was killed leaves its PostgreSQL running. Its name is short, because macOS
    // limits the path of a socket to 103 bytes.
    const own = path.join(folder, name.charAt(0))
    mkdirSync(own)
    chmodSync(own, 0o1777)
    const file = path.join(folder, `${name}.summary`)
    // Node reads TypeScript itself, without the seconds that Playwright's compiler takes in each of its processes.
    const variables = { ...env, TMPDIR: own, SUMMARY_FILE: file, PW_DISABLE_TS_ESM: '1', ...runner.env, ...more }
    const code = await step(node, [...runner.args, ...runner.words], variables, { timeout: runner.timeout })
    stopServersIn(own)
    const { passed, failed, failures } = readSummary(file)
    names.push(...failures)
    totals.passed += passed
    // A runner that ran nothing, or broke without a failed test, has failed.
    totals.failed += failed || (code !== 0 || passed === 0 ? 1 : 0)
  }
  // Playwright prepares the site of the journeys while Vitest runs, and starts the first journey when this file is gone.
  const before = path.join(folder, 'vitest-runs')
  const runJourneys = async (runner) => run(runner, { CHROMIUM: await chromium, RUNNER_BEFORE: before })
  const journeys = runners.find(({ args }) => args === PLAYWRIGHT.args)
  const others = runners.filter((runner) => runner !== journeys)
  if (others.length > 0) writeFileSync(before, '')
  const waiting = journeys && runJourneys(journeys)
  for (const runner of others) await run(runner, {})
  rmSync(before, { force: true })
  await waiting
  for (const name of names) console.log(`failed: ${name}`)
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exit(totals.failed > 0 ? 1 : 0)
}

/** All that the programs of a site import. The programs themselves would start one. */
const findServerModules = () => [
  ...readdirSync(fromRoot('dist/processes'))
    .filter((name) => name.endsWith('.js') && !name.includes('-process'))
    .map((name) => fromRoot('dist/processes', name)),
  fromRoot('dist/server/entry.server.js'),
  // Copies of the site and the background processes run from sources.
  '#server/operations/processes/serve.ts',
]

/** About four times the files after one run. */
const MAX_CACHED_MODULES = 50_000

/** Node removes nothing from its compile cache, and tests run copies of the site in temporary folders. */
function limitCompileCache() {
  const cache = compileCache()
  if (!existsSync(cache) || readdirSync(cache, { recursive: true }).length <= MAX_CACHED_MODULES) return
  rmSync(cache, { recursive: true, force: true })
}

/**
 * Compiles the server's modules into Node's cache if root runs the tests. The sites that they start continue as another
 * user: their first process reads what is made readable, and those that it starts use the folder of their user.
 */
async function fillCompileCache(node) {
  if (process.getuid?.() !== 0) return
  const cache = compileCache()
  mkdirSync(cache, { recursive: true })
  const imports = findServerModules().map((name) => `await import('${name}')`)
  await must(node, ['--input-type=module', '-e', `${imports.join('\n')}\nprocess.exit()`], { NODE_ENV: 'production' })
  for (const file of readdirSync(cache, { recursive: true })) chmodSync(path.join(cache, file), 0o755)
  const user = findSiteUser()
  if (!user) return
  // The name ends with the user's id.
  for (const folder of readdirSync(cache).filter((name) => name.endsWith('-0'))) {
    const copy = path.join(cache, folder.replace(/0$/, user))
    cpSync(path.join(cache, folder), copy, { recursive: true })
    execFileSync('chown', ['-R', user, copy])
  }
}

/** Id of the user that sites of root run as. See server/operations/processes/root.ts. */
function findSiteUser() {
  for (const name of ['scriptyard', 'postgres', 'nobody']) {
    const { status, stdout } = spawnSync('id', ['-u', name], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return undefined
}

function readSummary(file) {
  try {
    const [line = '', ...failures] = readFileSync(file, 'utf8').trimEnd().split('\n')
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(line) ?? []
    return { passed: Number(passed ?? 0), failed: Number(failed ?? 1), failures }
  } catch {
    return { passed: 0, failed: 1, failures: [] }
  }
}
