import { defineConfig } from '@playwright/test'

/**
 * Chromium uses only the last `--disable-features`, so this list repeats what journeys need of Playwright's list. With
 * `RenderDocument`, which Playwright leaves on, each load of a page draws two more frames.
 */
const DISABLED_FEATURES = [
  'RenderDocument',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  // Set for the browser: where Playwright emulates them, each page computes its styles and layout once more when it is left.
  '--force-prefers-reduced-motion',
  '--blink-settings=preferredColorScheme=0',
  // A page runs too briefly for optimized code to pay off. Pages are reused, so their bytecode stays.
  '--js-flags=--no-maglev --no-turbofan --no-flush-bytecode',
]
const executablePath = process.env['CHROMIUM']

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  // One more than the cores of CI: browsers and journeys wait for each other. Each worker runs a site of its own, see
  // tests/journeys/site.ts.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 90_000,
  // Includes the global setup, which waits for Vitest in `npm test`.
  globalTimeout: 40 * 60_000,
  retries: 0,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./scripts/playwright-line.ts']],
  globalSetup: './tests/journeys/site.global.ts',
  use: {
    launchOptions: { args: FLAGS, ...(executablePath ? { executablePath } : {}) },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A desktop. Journeys on phones use PHONE of tests/journeys/page.ts.
    viewport: { width: 1440, height: 900 },
    // The browser's own, which is dark.
    colorScheme: null,
  },
})
