import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type OperationName, operations } from '#contract/operations.ts'
import type { Operation } from '#contract/operation.ts'
import { digits, id, nonEmpty } from '#contract/operation.ts'
import { quoteLongIntegers } from './tolerant-body.ts'
import { bodyReader, queryReader } from './validation.ts'

const strict = { additionalProperties: false }
const Body = Type.Object(
  {
    count: id,
    title: Type.Optional(Type.String()),
    version: Type.Optional(nonEmpty({})),
    name: Type.Optional(Type.String({ minLength: 1 })),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    color: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
    is_on: Type.Optional(Type.Boolean()),
    most: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    until: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal('permanent')])),
    points: Type.Optional(Type.Union([Type.Number(), Type.String()])),
    game: Type.Optional(Type.Union([digits({}), Type.Null()])),
    ids: Type.Optional(Type.Array(id)),
    nested: Type.Optional(Type.Object({ on: Type.Optional(Type.Boolean()) }, strict)),
    list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }, strict))),
  },
  strict,
)

const read = bodyReader(Body, { tolerant: true })
const readStrictly = bodyReader(Body)

function errorOf(reader: (body: unknown) => unknown, body: unknown): unknown {
  try {
    return reader(body)
  } catch (error) {
    return (error as Error).message
  }
}

describe('a tolerant operation', () => {
  test.each<[string, object, object]>([
    ['unknown fields', { count: 1, other: 5, author_id: null }, { count: 1 }],
    ['unknown fields of objects', { count: 1, nested: { on: true, off: 1 } }, { count: 1, nested: { on: true } }],
    ['unknown fields of lists', { count: 1, list: [{ n: '2', m: 1 }] }, { count: 1, list: [{ n: 2 }] }],
    ['names of Object', { count: 1, toString: 1, nested: { hasOwnProperty: 1 } }, { count: 1, nested: {} }],
    ['digits for numbers', { count: '12', most: '3', ids: ['4', 5] }, { count: 12, most: 3, ids: [4, 5] }],
    ['digits beside a word', { count: 1, until: '24' }, { count: 1, until: 24 }],
    ['a word beside numbers', { count: 1, until: 'permanent' }, { count: 1, until: 'permanent' }],
    [
      'digits where text is allowed',
      { count: 1, points: '12abc', title: '5' },
      { count: 1, points: '12abc', title: '5' },
    ],
    ['numbers for text of digits', { count: 1, game: 920587237 }, { count: 1, game: '920587237' }],
    [
      'empty text that is allowed',
      { count: 1, title: '', points: '', game: '' },
      { count: 1, title: '', points: '', game: '' },
    ],
    [
      'empty text that is not allowed',
      { count: 1, version: '', name: '', kind: '', color: '', is_on: '', until: '', ids: '', nested: '' },
      { count: 1 },
    ],
    ['empty text where null is allowed', { count: 1, most: '' }, { count: 1, most: null }],
  ])('takes %s', (_what, body, expected) => {
    expect(read(body)).toEqual(expected)
  })

  test.each<[unknown, string]>([
    [{ count: '1e3' }, 'Count must be a whole number.'],
    [{ count: ' 1' }, 'Count must be a whole number.'],
    [{ count: '0' }, 'Count must be at least 1.'],
    [{ count: '1.5' }, 'Count must be a whole number.'],
    [{ count: '' }, 'Count is required.'],
    [{}, 'Count is required.'],
    [{ count: 1, kind: 'c' }, 'Kind has an unknown value.'],
    [{ count: 1, title: 5 }, 'Title must be text.'],
    [{ count: 1, is_on: 'true' }, 'Is on has the wrong type.'],
    [{ count: 1, color: 'red' }, 'Color is not valid.'],
    [{ count: 1, game: 1.5 }, 'Game must be text.'],
    [{ count: 1, game: 2 ** 60 }, 'Game must be text.'],
    ['text', 'The request body is invalid.'],
    [null, 'The request body is invalid.'],
    [[], 'The request body is invalid.'],
  ])('rejects %j with a sentence', (body, sentence) => {
    expect(errorOf(read, body)).toBe(sentence)
  })
})

test.each([
  ['{"a":80351110224678912}', '{"a":"80351110224678912"}'],
  ['{"a": 80351110224678912 ,"b":[1,80351110224678912]}', '{"a": "80351110224678912" ,"b":[1,"80351110224678912"]}'],
  ['{"a":"x: 80351110224678912,","b":80351110224678912}', '{"a":"x: 80351110224678912,","b":"80351110224678912"}'],
  [
    String.raw`{"a\":1,80351110224678912,":80351110224678912}`,
    String.raw`{"a\":1,80351110224678912,":"80351110224678912"}`,
  ],
  ['{"a":123456789012345,"b":1234567890123456.5,"c":-1234567890123456}', undefined],
  ['{"a":"1234567890123456,1234567890123456,"}', undefined],
])('long integers of %s become text', (json, expected) => {
  expect(quoteLongIntegers(json)).toBe(expected ?? json)
})

test('long integers are found in a large body', () => {
  const code = String.raw`\n\"`.repeat(1_500_000)
  const json = `{"code":"${code}","id":80351110224678912}`
  expect(quoteLongIntegers(json).slice(-25)).toBe('"id":"80351110224678912"}')
})

describe('any other operation', () => {
  test.each<[object, string]>([
    [{ count: 1, other: 5 }, 'The request has an unknown field: other.'],
    [{ count: 1, nested: { off: 1 } }, 'The request has an unknown field: nested.off.'],
    [{ count: 1, list: [{ n: 1, 'a/b~c': 2 }] }, 'The request has an unknown field: list.0.a/b~c.'],
    [{ count: 1, ['x'.repeat(5000)]: 5 }, `The request has an unknown field: ${'x'.repeat(60)}.`],
    [{ count: '1' }, 'Count must be a whole number.'],
    [{ count: 1, kind: 'c' }, 'Kind must be one of a, b.'],
    [{ count: 1, name: '' }, 'Name must not be empty.'],
    [{ count: 1, game: 5 }, 'Game must be text.'],
  ])('rejects %j', (body, sentence) => {
    expect(errorOf(readStrictly, body)).toBe(sentence)
  })

  test('rejects a query with an unknown parameter', () => {
    const reader = queryReader(Type.Object({ page: Type.Optional(id) }))
    const readQuery = (query: unknown) => reader(query as Record<string, unknown>)
    expect(readQuery({ page: '2' })).toEqual({ page: 2 })
    expect(errorOf(readQuery, { page: '2', ids: '1,2' })).toBe('The request has an unknown parameter: ids.')
    expect(errorOf(readQuery, { ids: ['1', '2'] })).toBe('The request has an unknown parameter: ids.')
  })
})

/** Those that the original clients of the site call, and those whose clients follow a protocol: oEmbed and feeds. */
const TOLERANT = [
  'DELETE /api/giveaways',
  'DELETE /api/script-details',
  'DELETE /api/showcases',
  'DELETE /api/user-notifications',
  'GET /api/admin-keys',
  'GET /api/discord-auth',
  'GET /api/giveaways',
  'GET /api/oembed',
  'GET /api/profile-reputation',
  'GET /api/script-details-slug',
  'GET /api/script-rating',
  'GET /api/script-tags',
  'GET /api/scripts',
  'GET /api/user-notifications',
  'GET /api/user-profile',
  'GET /api/user-profiles',
  'GET /feeds/giveaways.atom',
  'GET /feeds/giveaways.json',
  'GET /feeds/scripts.atom',
  'GET /feeds/scripts.json',
  'GET /feeds/versions.atom',
  'GET /feeds/versions.json',
  'GET /feeds/withdrawn.atom',
  'GET /feeds/withdrawn.json',
  'POST /api/admin-keys',
  'POST /api/giveaways',
  'POST /api/media',
  'POST /api/profile-reputation',
  'POST /api/script-rating',
  'POST /api/scripts',
  'POST /api/showcases',
  'POST /api/user-notifications',
  'PUT /api/giveaways',
  'PUT /api/script-details',
  'PUT /api/showcases',
  'PUT /api/user-profiles',
]

const entries = Object.entries(operations) as [OperationName, Operation][]

test('the tolerant operations are those that clients of other specifications call', () => {
  expect(entries.flatMap(([name, { tolerant }]) => (tolerant ? [name] : [])).toSorted()).toEqual(TOLERANT)
})

const formsOf = (body: TSchema): TSchema[] => (body as { anyOf?: TSchema[] }).anyOf ?? [body]

test.each(entries.filter(([, { tolerant, body }]) => tolerant && body))(
  '%s ignores unknown fields in all of its forms',
  (_name, { body }) => {
    for (const form of formsOf(body as TSchema)) {
      const { properties = {} } = form as { properties?: Record<string, { const?: unknown; enum?: unknown[] }> }
      const { action } = properties
      const message = errorOf(bodyReader(body as TSchema, { tolerant: true }), {
        ...(action && { action: action.const ?? action.enum?.[0] }),
        surplus: { deep: [1] },
      })
      expect(JSON.stringify(message)).not.toContain('surplus')
      expect(JSON.stringify(message)).not.toContain('unknown')
    }
  },
)
