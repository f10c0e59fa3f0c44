import { findOfDebian } from './debian.mjs'
import { must } from './processes.mjs'

/** The browser for the tests: the one that CHROMIUM names, Debian's, or the one that Playwright brings. */
export async function findChromium(node) {
  const found = process.env.CHROMIUM || findOfDebian('/usr/bin/chromium', 'chromium')
  if (found) return found
  await must(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return ''
}
