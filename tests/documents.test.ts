// Documents name files that exist, and decisions have a date, a status and a line in the index.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

function findDocuments(): string[] {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((file) => file && existsSync(path.join(root, file)))
}

/** Targets of links to files, relative to the root. */
function readLinks(file: string): string[] {
  const targets = [...read(file).matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g)].map(([, target = '']) => target)
  return targets.map((target) => path.join(path.dirname(file), target))
}

const DECISIONS = 'docs/decisions'
const MAX_DECISIONS = 35

describe('documents', () => {
  test('link to files that exist', () => {
    const documents = findDocuments()
    expect(documents.length).toBeGreaterThan(20)
    const missing = documents.flatMap((file) =>
      readLinks(file)
        .filter((target) => !existsSync(path.join(root, target)))
        .map((target) => `${file}: ${target}`),
    )
    expect(missing).toEqual([])
  })

  test.each(['docs/tour.md', 'docs/architecture.md'])('%s names paths that exist', (file) => {
    const folders = new Set([
      'server',
      'web',
      'contract',
      'packages',
      'db',
      'demo',
      'tests',
      'lab',
      'deploy',
      'scripts',
    ])
    const named = [...read(file).matchAll(/`((?:\w+)\/[\w./-]*)`/g)].map(([, name = '']) => name)
    const paths = named.filter((name) => folders.has(name.split('/')[0] ?? '') && !name.includes('/x/'))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
  })
})

describe('decisions', () => {
  const files = readdirSync(path.join(root, DECISIONS)).filter((file) => file !== 'README.md')

  test(`are at most ${MAX_DECISIONS}`, () => {
    expect(files.length).toBeGreaterThan(1)
    expect(files.length).toBeLessThanOrEqual(MAX_DECISIONS)
  })

  test.each(files)('%s has its number, a date, a status and a line in the index', (file) => {
    const text = read(`${DECISIONS}/${file}`)
    const [, number = '', title = ''] = /^# (\d+)\. (.+)\n/.exec(text) ?? []
    const [, date = '', status = ''] =
      /^Date: (\d{4}-\d\d-\d\d)\. Status: (Accepted|Superseded by \d+)\.$/m.exec(text) ?? []
    expect(file.slice(0, 4)).toBe(number.padStart(4, '0'))
    expect(date).not.toBe('')
    expect(read(`${DECISIONS}/README.md`)).toContain(`| ${number} | [${title}](${file}) | ${date} | ${status} |`)
  })

  test('are the ones that code and documents refer to by number', () => {
    const numbers = new Set(files.map((file) => Number(file.slice(0, 4))))
    const listed = execFileSync(
      'git',
      ['grep', '-IhoE', '\\(decision [0-9]+|see decision [0-9]+', '--', '.', ':!db/migrations'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    const referred = [...listed.matchAll(/\d+/g)].map(([number]) => Number(number))
    expect(referred.length).toBeGreaterThan(3)
    // 71 is named by the decision that supersedes it.
    expect(referred.filter((number) => number !== 71 && !numbers.has(number))).toEqual([])
  })
})
