import { rmSync, writeFileSync } from 'node:fs'
import { exitAsReadOnly, fromRoot, hashOf, isStale } from './paths.mjs'
import { must } from './processes.mjs'

const VITE = 'node_modules/vite/bin/vite.js'
const SOURCES = [
  'package-lock.json',
  'package.json',
  'vite.config.ts',
  'packages/cli',
  'packages/luau-behavior/package.json',
  'packages/luau-behavior/src',
  'packages/luau-behavior/tsconfig.build.json',
  'packages/text/src',
  'scripts/build-cli.ts',
  'scripts/build-package.mjs',
  'tsconfig.json',
  'web',
  'contract',
]
const STAMP = 'dist/.hash'

/** Builds what a site runs: the pages, and the processes that serve them. */
export async function build(node) {
  await buildPages(node)
  await must(node, ['scripts/build-server.ts'], { NODE_ENV: 'production' })
}

async function buildPages(node) {
  const sources = hashOf(...SOURCES)
  if (!isStale(STAMP, sources)) return
  console.log('Building the pages...')
  // An interrupted build must not look complete.
  try {
    rmSync(fromRoot(STAMP), { force: true })
  } catch {
    exitAsReadOnly()
  }
  await must(node, [VITE, 'build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  // The process in which scripts are analyzed starts in half the time without types.
  await must(node, [fromRoot('scripts/build-package.mjs')], {}, { cwd: fromRoot('packages/luau-behavior') })
  await must(node, ['scripts/build-cli.ts'], { NODE_ENV: 'production' })
  await must(node, [VITE, 'build', '--ssr', 'web/entry.server.tsx', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  writeFileSync(fromRoot(STAMP), sources)
}
