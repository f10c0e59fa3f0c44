import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeShapes, findBreaks } from './v1-snapshot.ts'

const file = path.resolve(import.meta.dirname, '../contract/v1.snapshot.txt')

const HELP =
  'Programs rely on /api/v1 (docs/decisions/0054-stable-api.md). Make the change an addition. To end something that was deprecated for twelve months, delete its lines in contract/v1.snapshot.txt.'

describe('the stable API', () => {
  test('has no incompatible change', async () => {
    expect(findBreaks(await readFile(file, 'utf8'), describeShapes()), HELP).toEqual([])
  })

  test('is the one in contract/v1.snapshot.txt', async () => {
    const help = 'Something was added to /api/v1. Run npm run generate and commit contract/v1.snapshot.txt.'
    expect(describeShapes() === (await readFile(file, 'utf8')), help).toBe(true)
  })
})

const OLD = `GET /a [read]
  query limit?: integer 1..100
  query sort?: "new" | "old"
  200: object
  200 items: array
  200 items[]: object
  200 items[].id: integer
  200 items[].kind: "x" | "y"
  200 items[].text: string | null
POST /a
  body: object
  body text: string 1..100
  body note?: string
  201: object
`
const change = (from: string, to: string): string[] => {
  expect(OLD).toContain(from)
  return findBreaks(OLD, OLD.replace(from, to))
}

test.each([
  ['nothing', 'GET /a', 'GET /a'],
  ['a new field of a response', '  200 items: array', '  200 total: integer\n  200 items: array'],
  ['a new optional parameter', '  200: object', '  query page?: integer\n  200: object'],
  ['a new value of a parameter', '"new" | "old"', '"new" | "old" | "top"'],
  ['a new value of a field', '"x" | "y"', '"x" | "y" | "z"'],
  ['a wider limit', '1..100\n  query', '1..200\n  query'],
  ['a longer text', 'text: string 1..100', 'text: string 1..1000'],
  ['a body that may be null', 'note?: string', 'note?: string | null'],
  ['a field that became optional', 'body text:', 'body text?:'],
  ['another scope that admits', '[read]', '[read, write]'],
  ['tokens with any scope', '[read]', '[any]'],
  ['a new operation', 'POST /a', 'GET /b\n  200: object\nPOST /a'],
  [
    'an optional object with a required field',
    '  201: object',
    '  body more?: object\n  body more.id: integer\n  201: object',
  ],
])('%s is an addition', (_name, from, to) => {
  expect(change(from, to)).toEqual([])
})

test.each([
  ['a removed operation', 'POST /a\n', 'POST /b\n', 'POST /a was removed.'],
  ['a removed parameter', '  query limit?: integer 1..100\n', '', 'GET /a: query limit was removed.'],
  ['a renamed field', 'items[].text', 'items[].body', 'GET /a: 200 items[].text was removed.'],
  ['a parameter that became required', 'query limit?', 'query limit', 'GET /a: query limit is required now.'],
  ['a field that became required', 'body note?', 'body note', 'POST /a: body note is required now.'],
  [
    'a new required field',
    '  201: object',
    '  body id: integer\n  201: object',
    'POST /a: body id is new and required.',
  ],
  [
    'a narrower limit',
    '1..100\n  query',
    '1..50\n  query',
    'GET /a: query limit does not accept integer 1..100 any more.',
  ],
  ['a removed value', '"new" | "old"', '"new"', 'GET /a: query sort does not accept "old" any more.'],
  [
    'another type',
    'items[].id: integer',
    'items[].id: string',
    'GET /a: 200 items[].id has another type (string, integer).',
  ],
  ['a field that may be missing', 'items[].id:', 'items[].id?:', 'GET /a: 200 items[].id may be missing now.'],
  [
    'a field that may be null',
    'items[].id: integer',
    'items[].id: integer | null',
    'GET /a: 200 items[].id has another type (null).',
  ],
  ['another scope', '[read]', '[write]', 'GET /a rejects tokens with the scope read.'],
])('%s is incompatible', (_name, from, to, sentence) => {
  expect(change(from, to)).toContain(sentence)
})
