// Entry point of all npm scripts. Plain JavaScript for Node 20, because it runs before anything is installed.
import { build } from './run/build.mjs'
import { check } from './run/check.mjs'
import { install } from './run/install.mjs'
import { findNode } from './run/node.mjs'
import { foreground, must } from './run/processes.mjs'
import { runTests } from './run/test.mjs'

const [task = '', ...rest] = process.argv.slice(2)
const production = { NODE_ENV: 'production' }

const TEST_TASKS = ['test', 'test:unit', 'test:api', 'test:journeys', 'test:full', 'coverage']

/**
 * Benchmarks with a file of their own: `npm run bench NAME`. Without a name, `lab/bench/run.ts` protects lists and pages, read
 * beside writes.
 */
const BENCHMARKS = {
  // Protects what the behavior analysis finds, by precision and recall on labeled scripts.
  behavior: 'lab/bench/behavior/evaluate.ts',
  // Protects lists from the backup that runs beside them.
  backups: 'lab/bench/backups.ts',
  // Protects copies of real scripts from being missed, and other scripts from being called copies.
  copies: 'lab/bench/copies.ts',
  // Protects harmless updates of real libraries from being held.
  updates: 'lab/bench/updates.ts',
  // Protects phones from JavaScript on public pages.
  hydration: 'lab/bench/hydration.ts',
  // Protects the exactness, speed and memory of one index with ten million scripts.
  'large-index': 'lab/bench/large-index/run.ts',
  // Protects Lighthouse's scores of public pages.
  lighthouse: 'lab/bench/lighthouse.ts',
  // Protects the time of a start and the memory of an idle site.
  start: 'lab/bench/start.ts',
}

const tasks = {
  start: async (node) => {
    await build(node)
    await foreground(node, ['server/main.ts'], production)
  },
  dev: (node) => foreground(node, ['server/operations/processes/dev.ts'], { NODE_ENV: 'development' }),
  build,
  ...Object.fromEntries(TEST_TASKS.map((name) => [name, (node) => runTests(node, name, rest)])),
  check,
  reload: async (node) => {
    await build(node)
    await foreground(node, ['scripts/reload.ts'], production)
  },
  service: (node) => foreground(node, ['scripts/service.ts', ...rest], production),
  container: (node) => foreground(node, ['scripts/container.ts', ...rest]),
  doctor: (node) => foreground(node, ['scripts/doctor.ts'], production),
  backup: (node) => foreground(node, ['scripts/backup.ts', ...rest], production),
  restore: (node) => foreground(node, ['scripts/restore.ts', ...rest], production),
  demo: (node) => foreground(node, ['scripts/demo.ts', ...rest], production),
  dump: (node) => foreground(node, ['scripts/dump.ts', ...rest], production),
  import: (node) => foreground(node, ['scripts/import.ts', ...rest], production),
  'import-scripts': (node) => foreground(node, ['scripts/import-scripts.ts', ...rest], production),
  'link-member': (node) => foreground(node, ['scripts/link-member.ts', ...rest], production),
  'rotate-key': (node) => foreground(node, ['scripts/rotate-key.ts', ...rest], production),
  bench: async (node) => {
    await build(node)
    const own = BENCHMARKS[rest[0]]
    await foreground(node, own ? [own, ...rest.slice(1)] : ['lab/bench/run.ts', ...rest], production)
  },
  attack: async (node) => {
    await build(node)
    await foreground(node, ['lab/attack/run.ts', ...rest])
  },
  drill: async (node) => {
    await build(node)
    await foreground(node, ['lab/drills/run.ts', ...rest])
  },
  audit: (node) => must(node, ['scripts/audit.ts']),
  generate: async (node) => {
    await must(node, ['server/platform/db/generate-types.ts'])
    await must(node, ['scripts/generate-v1-snapshot.ts'])
  },
  format: (node) => foreground(node, ['node_modules/oxfmt/bin/oxfmt', '.']),
}

const run = tasks[task]
if (!run) {
  console.error(`There is no task "${task}". Use one of: ${Object.keys(tasks).join(', ')}.`)
  process.exit(2)
}
install()
await run(findNode())
