import { step } from './processes.mjs'

/** @type {[name: string, args: string[]][]} */
const CHECKS = [
  // Each further checker of the compiler checks most shared types again: four take twice the processor time of one.
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.', '--checkers', '1']],
  ['lint', ['node_modules/oxlint/bin/oxlint']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['replaced words', ['scripts/check-words.ts']],
  ['SQL and generated files', ['scripts/check-database.ts']],
]

/**
 * For TypeScript's compiler and the linter's rules about types, which are Go programs and run at the same time: one thread
 * each, and fewer garbage collections. The checks take three quarters of the processor time, with as much memory.
 */
const GO_SETTINGS = { GOMAXPROCS: '1', GOGC: '400' }

/** Runs all static checks, whatever fails, and exits. */
export async function check(node) {
  const failed = await runChecks(node, CHECKS)
  if (failed.length > 0) console.error(`npm run check found something in: ${failed.join(', ')}.`)
  process.exit(failed.length > 0 ? 1 : 0)
}

/** Runs Node programs at the same time, prints the output of each when it ends, and returns the names of those that failed. */
export async function runChecks(node, checks) {
  /** @type {string[]} */
  const failed = []
  const run = async ([name, args]) => {
    /** @type {Buffer[]} */
    const output = []
    const code = await step(node, args, GO_SETTINGS, { onOutput: (chunk) => output.push(chunk) })
    process.stdout.write(Buffer.concat(output))
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (code !== 0) failed.push(name)
  }
  await Promise.all(checks.map(run))
  return failed
}
