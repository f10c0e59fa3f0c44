import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { findOfDebian } from './debian.mjs'
import { step } from './processes.mjs'

const MINUTE_MS = 60_000
// A runner that hangs is ended, so that the sum comes all the same.
const VITEST = { args: ['node_modules/vitest/vitest.mjs', 'run'], timeout: 15 * MINUTE_MS }
const PLAYWRIGHT = { args: ['node_modules/@playwright/test/cli.js', 'test'], timeout: 26 * MINUTE_MS }

/**
 * All tests, to the end whatever fails on the way, and the sum of their lines. Words after `npm test --` go to Vitest and
 * leave the journeys in a browser out.
 */
export async function runTests(node, chosen) {
  const isWhole = chosen.length === 0
  const browser = isWhole ? { CHROMIUM: await findChromium(node) } : {}
  // Where it can be had in no way, the test that needs it says so.
  if (isWhole && !process.env.PGBOUNCER) findOfDebian('/usr/sbin/pgbouncer', 'pgbouncer')
  await build(node)
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-lines-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const sum = { passed: 0, failed: 0 }
  for (const { args, timeout } of isWhole ? [VITEST, PLAYWRIGHT] : [VITEST]) {
    const file = path.join(folder, path.basename(args[0]))
    const env = { ...browser, NODE_ENV: 'test', SUMMARY_FILE: file }
    const code = await step(node, [...args, ...chosen], env, { timeout })
    const { passed, failed } = readLine(file)
    sum.passed += passed
    // A runner that ran nothing, or broke without a test that failed, has failed.
    sum.failed += failed || (code !== 0 || passed === 0 ? 1 : 0)
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  process.exit(sum.failed > 0 ? 1 : 0)
}

function readLine(file) {
  try {
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(readFileSync(file, 'utf8')) ?? []
    return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
