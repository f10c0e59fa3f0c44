import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { step } from './processes.mjs'

const VITEST = ['node_modules/vitest/vitest.mjs', 'run']
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test']

/**
 * All tests, to the end whatever fails on the way, and the sum of their lines. Words after `npm test --` go to Vitest and
 * leave the journeys in a browser out.
 */
export async function runTests(node, chosen) {
  const isWhole = chosen.length === 0
  const browser = isWhole ? { CHROMIUM: await findChromium(node) } : {}
  await build(node)
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-lines-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  let failures = 0
  const sum = { passed: 0, failed: 0 }
  for (const [index, args] of [[...VITEST, ...chosen], ...(isWhole ? [PLAYWRIGHT] : [])].entries()) {
    const file = path.join(folder, String(index))
    const code = await step(node, args, { ...browser, NODE_ENV: 'test', CLOSING_LINE: file })
    const { passed, failed } = readLine(file)
    if (code !== 0) failures++
    sum.passed += passed
    // A runner that ran nothing, or broke without a test that failed, has failed.
    sum.failed += failed || (code !== 0 || passed === 0 ? 1 : 0)
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  process.exit(failures > 0 || sum.failed > 0 ? 1 : 0)
}

function readLine(file) {
  try {
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(readFileSync(file, 'utf8')) ?? []
    return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
