import { findOfDebian } from './debian.mjs'
import { must } from './processes.mjs'

/** Path of the browser for the tests: CHROMIUM, Debian's, or '' for Playwright's own, which is installed. */
export async function findChromium(node) {
  const found = process.env.CHROMIUM || findOfDebian('/usr/bin/chromium', 'chromium')
  if (found) return found
  await must(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return ''
}
