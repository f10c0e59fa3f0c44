// docs/tour.md lists the files that a request passes through, for five flows.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readImports } from './architecture/read-sources.ts'

const MAX_FILES = { Browse: 20, Publish: 18, Rate: 10, Ban: 12, Draw: 10 }
const root = path.resolve(import.meta.dirname, '..')

/** The files of a section: items of an ordered list that start with a path in backticks. */
function readFlow(tour: string, section: string): string[] {
  const text = tour.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file)
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

describe.each(Object.entries(MAX_FILES))('the flow %s', (section, limit) => {
  const files = readFlow(readFileSync(path.join(root, 'docs/tour.md'), 'utf8'), section)

  test(`has at most ${limit} files`, () => {
    expect(files.length).toBeGreaterThan(1)
    expect(files.length).toBeLessThanOrEqual(limit)
    expect(files).toEqual([...new Set(files)])
  })

  test('names files that exist', () => {
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('does not skip a file', () => {
    expect(findGaps(files, readSource)).toEqual([])
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
})
