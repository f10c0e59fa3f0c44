import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'

// Inherited by the workers. See tests/support/seed.ts.
process.env['TEST_SEED'] ??= String(randomInt(2 ** 31))

export default defineConfig({
  test: {
    include: ['{contract,packages,server,web,demo,scripts,tests,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/postgres.global.ts'],
    setupFiles: ['tests/support/seed.setup.ts'],
    reporters: ['default', './scripts/vitest-line.ts'],
    // A clone of the database and a start of the server take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
