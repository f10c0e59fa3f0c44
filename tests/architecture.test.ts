import { describe, expect, test } from 'vitest'
import {
  buildFeatureGraph,
  buildImportGraph,
  findCycle,
  findViolations,
  type Layout,
} from '#tests/architecture/find-violations.ts'
import { readImports, readSources } from '#tests/architecture/read-sources.ts'

const BELOW_FEATURES = [
  'web/shared/',
  'web/ui/',
  'web/lib/',
  'web/router/',
  'contract/',
  'packages/markdown/',
  'packages/text/',
]

const BELOW_SERVER_FEATURES = [
  'server/platform/(?!pages/)(?!.*/routes\\.ts$)',
  'contract/',
  'packages/catalogue-index/',
  'packages/luau-behavior/',
  'packages/markdown/',
  'packages/text/',
]

/** The server's features that others build on, by layer. All others are in the layer above, and `admin` is above those. */
const LOWEST_FEATURES = '(?:members|notifications|copies|accounts|site|tokens|webhooks|email)'
const CATALOGUE_FEATURES = '(?:scripts|catalogue|sitemap)'
const rulesOf = (feature: string) => `server/features/${feature}/(?!routes\\.ts$)`

// Allowed imports. Tests, the attack suite, benchmarks and scripts may import everything.
const LAYOUTS: Layout[] = [
  { files: /\.test\.tsx?$/, mayImport: [''] },
  { files: /^(tests|lab|scripts)\//, mayImport: [''] },
  {
    files: /^contract\//,
    mayImport: ['contract/', 'packages/text/', 'packages/luau-behavior/src/capabilities.ts'],
    packages: ['typebox'],
  },
  { files: /^demo\//, mayImport: ['demo/', 'contract/'] },
  {
    files: /^packages\/embedded-postgres\/src\//,
    mayImport: ['packages/embedded-postgres/src/'],
    packages: [
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:module',
      'node:net',
      'node:os',
      'node:path',
      'node:timers',
    ],
  },
  {
    files: /^packages\/luau-behavior\/src\/sandbox\//,
    mayImport: ['packages/luau-behavior/src/'],
    packages: [
      'luau-web',
      'node:child_process',
      'node:fs',
      'node:module',
      'node:os',
      'node:path',
      'node:url',
      'node:v8',
      'node:worker_threads',
    ],
  },
  {
    files: /^packages\/luau-behavior\/src\//,
    mayImport: ['packages/luau-behavior/src/'],
    packages: ['node:crypto', 'node:fs'],
  },
  {
    files: /^packages\/cli\/src\//,
    mayImport: ['packages/cli/src/', 'packages/luau-behavior/', 'packages/text/'],
    packages: [
      'node:crypto',
      'node:fs',
      'node:os',
      'node:path',
      'node:readline',
      'node:stream',
      'node:timers',
      'node:util',
    ],
  },
  { files: /^packages\/markdown\/src\//, mayImport: ['packages/markdown/src/'], packages: ['markdown-it'] },
  {
    files: /^packages\/([^/]+)\/src\//,
    mayImport: ['packages/$1/src/'],
    packages: ['node:crypto', 'node:fs', 'node:os', 'node:timers', 'node:zlib'],
  },
  { files: /^packages\/([^/]+)\//, mayImport: ['packages/$1/'] },

  { files: /^web\/router\//, mayImport: ['web/router/'], packages: ['react'] },
  {
    files: /^web\/ui\//,
    mayImport: ['web/ui/', 'web/router/', 'packages/text/'],
    packages: ['react', 'react-dom', '@base-ui/react', 'lucide-react'],
  },
  {
    files: /^web\/lib\//,
    mayImport: ['web/lib/', 'web/router/', 'contract/', 'packages/text/'],
    packages: ['react', 'react-dom', 'idb-keyval'],
  },
  { files: /^web\/shared\//, mayImport: BELOW_FEATURES },
  // The page of a script shows its comments; that of a new version, how builds publish one.
  { files: /^web\/features\/script\//, mayImport: ['web/features/(script|comments)/', ...BELOW_FEATURES] },
  {
    files: /^web\/features\/script-edit\//,
    mayImport: [
      'web/features/(script-edit|publishing)/',
      ...BELOW_FEATURES,
      'packages/luau-behavior/src/compile\\.ts$',
    ],
  },
  { files: /^web\/features\/([^/]+)\//, mayImport: ['web/features/$1/', ...BELOW_FEATURES] },
  {
    files: /^web\/shell\//,
    mayImport: ['web/shell/', 'web/features/legal/', 'web/shared/', 'web/ui/', 'web/lib/', 'web/router/', 'contract/'],
  },
  { files: /^web\/[^/]+$/, mayImport: ['web/', 'contract/'] },

  {
    files: /^server\/platform\/config(\/|\.ts$)/,
    mayImport: ['server/platform/config/', 'contract/version-states\\.ts$'],
  },
  {
    files: /^server\/platform\/db\//,
    mayImport: ['server/platform/(db|config)/', 'packages/embedded-postgres/', 'packages/text/'],
  },
  { files: /^server\/platform\/jobs\//, mayImport: ['server/platform/(jobs|db)/', 'contract/'] },
  {
    // Runs the guard of an operation, its validation and its handler.
    files: /^server\/platform\/http\/operations\.ts$/,
    mayImport: ['server/platform/(http|authorization)/', 'contract/operations?\\.ts$'],
  },
  {
    // The contract's files that describe the API, not the product.
    files: /^server\/platform\/http\//,
    mayImport: ['server/platform/(http|db)/', 'packages/text/', 'contract/(limits|operations?)\\.ts$'],
  },
  {
    files: /^server\/platform\/pages\//,
    mayImport: ['server/platform/(pages|http)/', 'contract/', 'web/entry\\.server\\.tsx$'],
  },
  { files: /^server\/platform\/[^/]+\//, mayImport: ['server/platform/', 'contract/', 'packages/text/'] },
  {
    // The portal shows the state of backups.
    files: /^server\/features\/admin\/system\.ts$/,
    mayImport: ['server/platform/', 'server/operations/(backup|wal-archive)/', 'contract/'],
  },
  {
    files: new RegExp(`^server/features/(${LOWEST_FEATURES})/`),
    mayImport: ['server/features/$1/', rulesOf(LOWEST_FEATURES), ...BELOW_SERVER_FEATURES],
  },
  {
    files: new RegExp(`^server/features/(${CATALOGUE_FEATURES})/`),
    mayImport: ['server/features/$1/', rulesOf(LOWEST_FEATURES), rulesOf(CATALOGUE_FEATURES), ...BELOW_SERVER_FEATURES],
  },
  {
    files: /^server\/features\/([^/]+)\//,
    mayImport: ['server/features/$1/', rulesOf('(?!admin/)[^/]+'), ...BELOW_SERVER_FEATURES],
  },
  {
    files: /^server\/operations\/demo\//,
    mayImport: [
      'demo/',
      'server/operations/(demo|retention)/',
      'server/features/[^/]+/(?!routes\\.ts$)',
      'server/platform/',
      'contract/',
    ],
  },
  {
    files: /^server\/operations\/fake-discord\//,
    mayImport: ['server/operations/fake-discord/', 'server/platform/config/', 'demo/'],
  },
  {
    files: /^server\/operations\/(metrics|tracing)\//,
    mayImport: ['server/operations/$1/', 'server/platform/(config|db|http|jobs)/'],
  },
  { files: /^server\/operations\//, mayImport: ['server/', 'contract/', 'packages/'] },
  { files: /^server\/[^/]+$/, mayImport: ['server/', 'contract/'] },
]

const MAX_LINES = 400
const GENERATED = /\.generated\.ts$/

/** A repeated timer, a job, or a program. */
const STARTS_WORK =
  /setInterval\(|#timer (\?\?)?= setTimeout\(|new ScheduledJobs\(|\.work\(|runInBackground[<(]|\bfork\(/

const isListed = (list: string, file: string): boolean =>
  list.includes(file) || file.startsWith('server/operations/processes/')

const sources = readSources(['contract', 'demo', 'packages', 'web', 'server', 'tests', 'lab', 'scripts'])
const production = sources.filter(({ file }) => !file.endsWith('.test.ts') && !file.endsWith('.test.tsx'))

describe('the project', () => {
  test('contains only allowed imports', () => {
    expect(findViolations(sources, LAYOUTS)).toEqual([])
  })

  test('has no cycle between server features', () => {
    expect(findCycle(buildFeatureGraph(production))).toEqual([])
  })

  test('has no import cycle, not even of types', () => {
    expect(findCycle(buildImportGraph(sources))).toEqual([])
  })

  test('starts background work only where server/background-work.ts lists it', () => {
    const list = production.find(({ file }) => file === 'server/background-work.ts')?.text ?? ''
    const starting = production.filter(
      ({ file, text }) =>
        file.startsWith('server/') &&
        !/^server\/(background-work|platform\/(jobs|db\/scheduled-jobs))/.test(file) &&
        STARTS_WORK.test(text),
    )
    expect(starting.length).toBeGreaterThan(10)
    expect(starting.map(({ file }) => file).filter((file) => !isListed(list, file))).toEqual([])
  })

  test(`has no file of more than ${MAX_LINES} lines`, () => {
    const long = sources.filter(({ file, lines }) => lines > MAX_LINES && !GENERATED.test(file))
    expect(long.map(({ file }) => file)).toEqual([])
  })

  test('sets no HTML from a string', () => {
    const setters = production.filter(
      ({ file, text }) => file.startsWith('web/') && /dangerouslySetInnerHTML/.test(text),
    )
    expect(setters.map(({ file }) => file)).toEqual([])
  })
})

describe('the architecture rules', () => {
  test.each([
    ['web/features/browse/browse-page.tsx', 'web/features/script/script-page.tsx'],
    ['web/features/browse/browse-page.tsx', 'server/platform/http/errors.ts'],
    ['web/ui/button.tsx', 'web/lib/client.ts'],
    ['web/ui/button.tsx', 'fastify'],
    ['web/ui/stars.tsx', 'web/features/script/script-page.tsx'],
    ['contract/scripts.ts', 'server/platform/db/database.ts'],
    ['contract/scripts.ts', 'react'],
    ['server/platform/http/errors.ts', 'server/features/scripts/service.ts'],
    ['server/platform/http/text.ts', 'contract/behavior-names.ts'],
    ['server/features/scripts/publish.ts', 'server/platform/media/routes.ts'],
    ['server/features/scripts/routes.ts', 'web/lib/client.ts'],
    ['server/features/members/profile.ts', 'server/features/ratings/queries.ts'],
    ['server/features/scripts/publish.ts', 'server/features/ratings/queries.ts'],
    ['server/features/ratings/queries.ts', 'server/features/admin/jobs.ts'],
    ['server/features/admin/jobs.ts', 'server/features/ratings/routes.ts'],
    ['server/platform/db/pool.ts', 'server/platform/http/errors.ts'],
    ['demo/members.ts', 'server/platform/db/pool.ts'],
    ['packages/catalogue-index/src/facets.ts', 'contract/catalogue.ts'],
    ['packages/catalogue-index/src/facets.ts', 'kysely'],
    ['server/platform/http/errors.ts', 'packages/catalogue-index/src/index.ts'],
  ])('reject %s importing %s', (file, target) => {
    expect(findViolations([{ file, imports: [target] }], LAYOUTS)).toEqual([`${file} imports ${target}`])
  })

  test('reject a file that no layout matches', () => {
    expect(findViolations([{ file: 'lib/helpers.ts', imports: [] }], LAYOUTS)).toHaveLength(1)
  })

  test('allow a feature to call the rules of another feature', () => {
    const imports = [
      'server/platform/media/process.ts',
      'server/platform/db/database.ts',
      'contract/scripts.ts',
      'kysely',
    ]
    expect(findViolations([{ file: 'server/features/scripts/queries.ts', imports }], LAYOUTS)).toEqual([])
  })

  test('find a cycle through three features', () => {
    const graph = new Map([
      ['admin', new Set(['media'])],
      ['media', new Set(['members'])],
      ['members', new Set(['audit'])],
      ['audit', new Set(['media'])],
    ])
    expect(findCycle(graph)).toEqual(['media', 'members', 'audit', 'media'])
  })

  test('find a cycle through the imports of two files', () => {
    const modules = [
      { file: 'web/app.ts', imports: ['web/page.ts', 'react'] },
      { file: 'web/page.ts', imports: ['web/form.ts'] },
      { file: 'web/form.ts', imports: ['web/page.ts'] },
    ]
    expect(findCycle(buildImportGraph(modules))).toEqual(['web/page.ts', 'web/form.ts', 'web/page.ts'])
  })

  test('detect static, type-only, lazy and re-exported imports', () => {
    const text = `import a from './a.ts'
      import type { B } from '#contract/b.ts'
      export { c } from '../c.ts'
      import { d } from '@scriptyard/markdown'
      import { e } from '@scriptyard/luau-behavior/sandbox'
      const later = () => import('react')`
    expect(readImports('web/ui/x.ts', text).toSorted()).toEqual([
      'contract/b.ts',
      'packages/luau-behavior/src/sandbox/sandbox.ts',
      'packages/markdown/src/index.ts',
      'react',
      'web/c.ts',
      'web/ui/a.ts',
    ])
  })
})
