import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,packages,server,web,demo,scripts,tests,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/postgres.global.ts'],
    reporters: ['default', './scripts/vitest-line.ts'],
    // A clone of the database and a start of the server take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
