import { afterEach, expect, test } from 'vitest'
import { createGuards } from '#server/platform/authorization/guards.ts'
import { createServer } from '#server/platform/http/server.ts'
import { registerPageErrors } from './page-errors.ts'

const BUILD = { pages: new Set(['a-page.tsx', 'b-page.tsx']), entry: 'entry-a1.js' }
const REPORT = { page: 'a-page.tsx', build: 'entry-a1.js', kind: 'text' }

let lines: string[] = []
const app = createServer({
  log: 'warn',
  logTo: { write: (line) => void lines.push(line) },
  trustProxy: [],
  isHttps: false,
})
app.decorate('guards', createGuards({ findCaller: () => Promise.resolve(undefined) }))
registerPageErrors(app, BUILD)
afterEach(() => {
  lines = []
})

const report = (payload: object) =>
  app.inject({ method: 'POST', url: '/api/page-errors', payload, headers: { 'user-agent': 'Secret', cookie: 'id=1' } })
const readLog = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

test('each kind of error of each page of the build is logged once, without anything about the visitor', async () => {
  for (const change of [{}, {}, { kind: 'elements' }, { page: 'b-page.tsx' }, {}]) {
    expect((await report({ ...REPORT, ...change })).statusCode).toBe(200)
  }
  const shown = readLog().map(({ msg, page, kind }) => [msg, page, kind])
  expect(shown).toEqual([
    ['page replaced in a browser', 'a-page.tsx', 'text'],
    ['page replaced in a browser', 'a-page.tsx', 'elements'],
    ['page replaced in a browser', 'b-page.tsx', 'text'],
  ])
  expect(Object.keys(readLog()[0] ?? {}).toSorted()).toEqual(
    ['build', 'hostname', 'kind', 'level', 'msg', 'page', 'pid', 'time'].toSorted(),
  )
  expect(lines.join('')).not.toContain('Secret')
})

test.each([
  { ...REPORT, page: '/scripts/x?token=y' },
  { ...REPORT, page: '__proto__' },
  { ...REPORT, build: 'entry-b2.js' },
])('a report of unknown names is not logged: %j', async (payload) => {
  expect((await report(payload)).statusCode).toBe(200)
  expect(lines).toEqual([])
})

test.each([
  { ...REPORT, kind: 'a sentence' },
  { ...REPORT, url: 'https://site.example/' },
  { ...REPORT, page: 'a'.repeat(101) },
  { page: 'a'.repeat(600) },
  {},
])('a report that is too long or has other fields is rejected: %j', async (payload) => {
  expect((await report(payload)).statusCode).toBeGreaterThanOrEqual(400)
  expect(lines).toEqual([])
})
