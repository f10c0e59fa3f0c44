import { step } from './processes.mjs'

/** @type {[name: string, args: string[]][]} */
const CHECKS = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['replaced words', ['scripts/check-words.ts']],
  ['generated files', ['server/db/generate-types.ts', '--check']],
]

/** Runs all static checks, whatever fails. */
export async function check(node) {
  /** @type {string[]} */
  const failed = []
  for (const [name, args] of CHECKS) {
    const started = performance.now()
    const code = await step(node, args)
    const seconds = Math.round((performance.now() - started) / 100) / 10
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) console.error(`npm run check found something in: ${failed.join(', ')}.`)
  process.exit(failed.length > 0 ? 1 : 0)
}
