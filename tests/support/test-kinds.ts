import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * unit: no database, no processes. api: the server in the test's own process, on a cloned database. infra: starts
 * programs of its own, such as PostgreSQL, PgBouncer or whole sites.
 */
export type TestKind = 'unit' | 'api' | 'infra'

const FOLDERS = '{contract,packages,server,web,demo,scripts,tests,lab}'
/** Imports that run code; `import type` does not. */
const IMPORT = /^(?:import|export)\s(?!type\b)[^'"]*?from\s*'([^']+)'|^import\s*'([^']+)'/gm

/** Imports of a file; own files as paths from the project's root. */
function readImports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from = '', bare = '']) => {
    const specifier = from || bare
    if (specifier.startsWith('#')) return specifier.slice(1)
    return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier
  })
}

/** A test file and the test helpers that it imports, directly or through other helpers. */
function findTestSources(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const target of readImports(file)) if (/^(tests|attack)\//.test(target)) findTestSources(target, found)
  return found
}

const STARTS_PROGRAMS = new Set([
  'node:child_process',
  'server/platform/db/embedded.ts',
  '@scriptyard/embedded-postgres',
  'packages/embedded-postgres/src/index.ts',
  'packages/luau-behavior/src/sandbox/sandbox.ts',
  'server/operations/processes/workers.ts',
])

/** The kind of a test file, decided by what the file and its helpers import. */
export function classify(file: string): TestKind {
  const sources = [...findTestSources(file)]
  const imports = sources.flatMap(readImports)
  if (file.startsWith('server/operations/processes/') || imports.some((name) => STARTS_PROGRAMS.has(name)))
    return 'infra'
  return sources.includes('tests/support/database.ts') ? 'api' : 'unit'
}

/** All test files by kind. */
export function findTestFiles(): Record<TestKind, string[]> {
  const files = globSync(`${FOLDERS}/**/*.test.{ts,tsx}`, { exclude: (name) => name === 'node_modules' })
  const kinds: Record<TestKind, string[]> = { unit: [], api: [], infra: [] }
  for (const file of files.toSorted()) kinds[classify(file.replaceAll(path.sep, '/'))].push(file)
  return kinds
}
