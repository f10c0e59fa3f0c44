import { randomInt } from 'node:crypto'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findTestFiles } from './tests/support/test-kinds.ts'

// Inherited by the workers. See tests/support/seed.ts.
process.env['TEST_SEED'] ??= String(randomInt(2 ** 31))

const { unit, api, infra } = findTestFiles()
const shared = {
  setupFiles: ['tests/support/seed.setup.ts'],
  // A cloned database and a server start take time on a busy machine. Only tests that hang take this long.
  testTimeout: 90_000,
  hookTimeout: 120_000,
}
/** Node imports the modules itself, as it does on a site, and from its compile cache. Mocks of modules would need Vite. */
const withoutVite = { viteModuleRunner: false, nodeLoader: false }

const infraFiles = new Set(infra.map((file) => path.resolve(file)))

/** Whole sites first: they wait most, which leaves the processor to the preparation of the journeys (scripts/run/test.mjs). */
const rankOf = ({ project, moduleId }: TestSpecification): number =>
  infraFiles.has(path.resolve(moduleId)) ? Number(!moduleId.includes('/tests/')) : 2 + Number(project.name === 'unit')

class SitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SitesFirst },
    reporters: ['default', './scripts/vitest-line.ts'],
    // One more than the cores of CI: many tests wait for processes that they started.
    maxWorkers: 3,
    coverage: { include: ['{contract,packages,server,web}/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
    projects: [
      { test: { ...shared, name: 'unit', include: unit, pool: 'threads', isolate: false } },
      {
        test: {
          ...shared,
          // Both kinds, because workers of one project are reused: they load the server once.
          name: 'server',
          include: process.env['TEST_KIND'] === 'api' ? api : [...infra, ...api],
          globalSetup: ['tests/support/postgres.global.ts'],
          pool: 'forks',
          isolate: false,
          experimental: withoutVite,
        },
      },
    ],
  },
})
