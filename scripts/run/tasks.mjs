import { writeFileSync } from 'node:fs'
import { findChromium } from './chromium.mjs'
import { at, hashOf, isStale } from './place.mjs'
import { foreground, must, step } from './processes.mjs'

export { foreground }

const VITE = 'node_modules/vite/bin/vite.js'
const SOURCES = ['package-lock.json', 'vite.config.ts', 'tsconfig.json', 'web', 'contract']
const STAMP = 'dist/.hash'

/** Builds the web side when a source of it changed. */
export function build(node) {
  const sources = hashOf(...SOURCES)
  if (!isStale(STAMP, sources)) return
  console.log('Building the pages...')
  must(node, [VITE, 'build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  must(node, [VITE, 'build', '--ssr', 'web/entry.server.tsx', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  writeFileSync(at(STAMP), sources)
}

export function script(node, args) {
  foreground(node, args, { NODE_ENV: 'production' })
}

/** Writes the row types from a freshly migrated database. */
export function generate(node) {
  must(node, ['server/db/generate-types.ts'])
}

/** @type {[string, string[]][]} */
const CHECKS = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['generated files', ['server/db/generate-types.ts', '--check']],
]

/** Everything that a machine can see without running the tests. All steps run, however many fail. */
export function check(node) {
  /** @type {string[]} */
  const failed = []
  for (const [name, args] of CHECKS) {
    const started = Date.now()
    const code = step(node, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) console.error(`npm run check found something in: ${failed.join(', ')}.`)
  process.exit(failed.length > 0 ? 1 : 0)
}

/** All tests; words after `npm test --` choose among the test files and leave the journeys in a browser out. */
export function runTests(node, chosen) {
  const env = { CHROMIUM: findChromium(node), NODE_ENV: 'test' }
  build(node)
  const codes = [step(node, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], env)]
  if (chosen.length === 0) codes.push(step(node, ['node_modules/@playwright/test/cli.js', 'test'], env))
  process.exit(Math.max(...codes))
}
