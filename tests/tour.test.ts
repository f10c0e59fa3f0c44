// docs/tour.md lists, for six flows, the files that a request passes through, and those that one opens beside them to change it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readImports } from './architecture/read-sources.ts'

/** Files of the main line, and in all. */
const LIMITS = {
  Browse: { main: 20, all: 30 },
  Publish: { main: 18, all: 30 },
  Release: { main: 10, all: 18 },
  Rate: { main: 10, all: 18 },
  Ban: { main: 10, all: 18 },
  Draw: { main: 10, all: 16 },
}
const root = path.resolve(import.meta.dirname, '..')

interface Flow {
  /** Items of an ordered list that start with a path in backticks. */
  main: string[]
  /** The same of an unordered list. */
  beside: string[]
}

function readFlow(tour: string, section: string): Flow {
  const text = tour.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  const findItems = (mark: RegExp) => [...text.matchAll(mark)].map(([, file = '']) => file)
  return { main: findItems(/^\d+\. `([^`]+)`/gm), beside: findItems(/^- `([^`]+)`/gm) }
}

interface Source {
  imports: string[]
  /** Quoted ends of paths, by which routes name pages that import.meta.glob loads. */
  names: string[]
  /** API operations that the file calls, defines or serves, such as `GET /api/scripts`. */
  operations: string[]
}

function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
  const imports = /\.(ts|tsx|mjs)$/.test(file) ? readImports(file, text) : []
  return {
    // A package is imported by its entry, whose exports count as imported with it.
    imports: imports.flatMap((target) =>
      /^packages\/[^/]+\/src\/index\.ts$/.test(target) && target !== file
        ? [target, ...readSource(target).imports]
        : [target],
    ),
    names: [...text.matchAll(/'([\w-][\w./-]*\.tsx?)'/g)].map(([, name = '']) => name),
    operations: [...text.matchAll(/'((?:GET|POST|PUT|DELETE) \/[\w/-]+)'/g)].map(([, operation = '']) => operation),
  }
}

/**
 * Files that no earlier file of the flow leads to: none imports or names them, or shares an API operation with them.
 * A file left out of the list shows as a gap at the next file, which only it imports.
 */
function findGaps(files: readonly string[], read: (file: string) => Source): string[] {
  return files.filter((file, index) => {
    if (index === 0) return false
    const earlier = files.slice(0, index).map(read)
    const { operations } = read(file)
    return !earlier.some(
      (source) =>
        source.imports.includes(file) ||
        source.names.some((name) => file.endsWith(`/${name}`)) ||
        source.operations.some((name) => operations.includes(name)),
    )
  })
}

/** Files that no other file of the flow, and not server/app.ts, imports, and that import none. SQL is imported by nobody. */
function findStrangers({ main, beside }: Flow, read: (file: string) => Source): string[] {
  const files = [...main, ...beside]
  return beside.filter((file) => {
    if (file.endsWith('.sql')) return false
    const { imports } = read(file)
    if (read('server/app.ts').imports.includes(file)) return false
    return !files.some((other) => other !== file && (imports.includes(other) || read(other).imports.includes(file)))
  })
}

const tour = readFileSync(path.join(root, 'docs/tour.md'), 'utf8')

describe.each(Object.entries(LIMITS))('the flow %s', (section, limit) => {
  const flow = readFlow(tour, section)
  const files = [...flow.main, ...flow.beside]

  test(`has at most ${limit.main} files in its main line and ${limit.all} in all, as the table says`, () => {
    expect(flow.main.length).toBeGreaterThan(1)
    expect(flow.main.length).toBeLessThanOrEqual(limit.main)
    expect(files.length).toBeLessThanOrEqual(limit.all)
    expect(files).toEqual([...new Set(files)])
    expect(tour.replaceAll(/ +/g, ' ')).toContain(
      `| ${section} | ${flow.main.length} | ${flow.beside.length} | ${files.length} |`,
    )
  })

  test('names files that exist', () => {
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('does not skip a file of the main line', () => {
    expect(findGaps(flow.main, readSource)).toEqual([])
  })

  test('has no file beside it that belongs to another flow', () => {
    expect(findStrangers(flow, readSource)).toEqual([])
  })
})

describe('a flow', () => {
  const sources: Record<string, Source> = {
    'web/page.tsx': { imports: ['web/form.tsx'], names: [], operations: ['GET /api/scripts'] },
    'web/form.tsx': { imports: [], names: [], operations: [] },
    'server/routes.ts': { imports: ['server/rules.ts'], names: [], operations: ['GET /api/scripts'] },
    'server/rules.ts': { imports: ['server/queries.ts'], names: [], operations: [] },
    'server/queries.ts': { imports: [], names: [], operations: [] },
  }
  const read = (file: string): Source => sources[file] ?? { imports: [], names: [], operations: [] }

  test('follows imports and API operations', () => {
    expect(findGaps(Object.keys(sources), read)).toEqual([])
  })

  test('reports a gap where a file is missing', () => {
    const files = Object.keys(sources).filter((file) => file !== 'server/rules.ts')
    expect(findGaps(files, read)).toEqual(['server/queries.ts'])
  })

  test('reports a file beside it that has nothing to do with it', () => {
    const flow = {
      main: ['web/page.tsx', 'web/form.tsx'],
      beside: ['server/rules.ts', 'server/queries.ts', 'web/form.ts'],
    }
    expect(findStrangers(flow, read)).toEqual(['web/form.ts'])
  })
})
