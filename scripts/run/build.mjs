import { rmSync, writeFileSync } from 'node:fs'
import { at, hashOf, isStale } from './place.mjs'
import { must } from './processes.mjs'

const VITE = 'node_modules/vite/bin/vite.js'
const SOURCES = ['package-lock.json', 'package.json', 'vite.config.ts', 'tsconfig.json', 'web', 'contract']
const STAMP = 'dist/.hash'

/** Builds the web side when a source of it changed. */
export async function build(node) {
  const sources = hashOf(...SOURCES)
  if (!isStale(STAMP, sources)) return
  console.log('Building the pages...')
  // A build that is broken off must not look like the one before.
  rmSync(at(STAMP), { force: true })
  await must(node, [VITE, 'build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  await must(node, [VITE, 'build', '--ssr', 'web/entry.server.tsx', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  writeFileSync(at(STAMP), sources)
}
