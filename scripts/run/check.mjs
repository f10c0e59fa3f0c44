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

/** Runs all static checks at the same time, whatever fails. Their output appears one after the other. */
export async function check(node) {
  /** @type {string[]} */
  const failed = []
  const report = (name, code) => {
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (code !== 0) failed.push(name)
  }
  let reported = Promise.resolve()
  for (const [name, args] of CHECKS) {
    const code = step(node, args, {}, { outputAfter: reported })
    reported = code.then(report.bind(undefined, name))
  }
  await reported
  if (failed.length > 0) console.error(`npm run check found something in: ${failed.join(', ')}.`)
  process.exit(failed.length > 0 ? 1 : 0)
}
