import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { findTestFiles } from './tests/support/projects.ts'

// Inherited by the workers. See tests/support/seed.ts.
process.env['TEST_SEED'] ??= String(randomInt(2 ** 31))

const { unit, api, infra } = findTestFiles()
const shared = {
  setupFiles: ['tests/support/seed.setup.ts'],
  // A cloned database and a server start take time on a busy machine.
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/vitest-line.ts'],
    // One more than the cores of CI: many tests wait for processes that they started.
    maxWorkers: 3,
    coverage: { include: ['{contract,packages,server,web}/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
    projects: [
      { test: { ...shared, name: 'unit', include: unit, pool: 'threads', isolate: false } },
      {
        test: {
          ...shared,
          name: 'api',
          include: api,
          globalSetup: ['tests/support/postgres.global.ts'],
          pool: 'forks',
          isolate: false,
        },
      },
      { test: { ...shared, name: 'infra', include: infra, globalSetup: ['tests/support/postgres.global.ts'] } },
    ],
  },
})
