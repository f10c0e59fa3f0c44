import { defineConfig, devices } from '@playwright/test'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const executablePath = process.env['CHROMIUM']

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  globalTimeout: 25 * 60_000,
  // A browser on a busy machine may miss a time limit; what fails twice has failed.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['./scripts/playwright-line.ts']],
  globalSetup: './tests/journeys/site.global.ts',
  use: {
    // Set by the global setup before the tests' own processes read this file.
    baseURL: process.env['SITE'] ?? '',
    launchOptions: { args: FLAGS, ...(executablePath ? { executablePath } : {}) },
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  projects: [
    // Dark here and light there: colours come from the same tokens in every width.
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } },
    {
      name: 'phone',
      testMatch: /phone|screens/,
      use: { ...devices['Pixel 7'], viewport: { width: 360, height: 780 }, colorScheme: 'light' },
    },
  ],
})
