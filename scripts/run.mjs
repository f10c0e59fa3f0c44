// The entry of every npm script. Plain JavaScript for Node 20: it runs before anything is installed.
import { install } from './run/install.mjs'
import { findNode } from './run/node.mjs'
import { build, check, foreground, generate, runTests, script } from './run/tasks.mjs'

const [task = '', ...rest] = process.argv.slice(2)

const tasks = {
  start: (node) => {
    build(node)
    foreground(node, ['server/main.ts'], { NODE_ENV: 'production' })
  },
  dev: (node) => {
    const watched = ['server', 'contract', 'demo'].map((folder) => `--watch-path=${folder}`)
    foreground(node, [...watched, 'server/main.ts'], { NODE_ENV: 'development' })
  },
  build,
  test: (node) => runTests(node, rest),
  check,
  demo: (node) => script(node, ['scripts/demo.ts', ...rest]),
  bench: (node) => {
    build(node)
    const [which, ...options] = rest
    script(node, which === 'lighthouse' ? ['bench/lighthouse.ts', ...options] : ['bench/run.ts', ...rest])
  },
  generate,
  format: (node) => script(node, ['node_modules/oxfmt/bin/oxfmt', '.']),
}

const run = tasks[task]
if (!run) {
  console.error(`There is no task "${task}". Use one of: ${Object.keys(tasks).join(', ')}.`)
  process.exit(2)
}
install()
await run(findNode())
