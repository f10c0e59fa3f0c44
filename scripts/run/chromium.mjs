import { findOfDebian } from './debian.mjs'
import { step } from './processes.mjs'

/**
 * Path of the browser: CHROMIUM, Debian's, or '' for Playwright's own. The headless shell comes first: it renders the
 * same pages without the CPU time of a browser window. Playwright says what to do if there is none.
 */
export async function findChromium(node) {
  const found =
    process.env.CHROMIUM ||
    (await findOfDebian('/usr/bin/chromium-headless-shell', 'chromium-headless-shell')) ||
    (await findOfDebian('/usr/bin/chromium', 'chromium'))
  if (found) return found
  await step(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return ''
}
