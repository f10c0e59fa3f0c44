import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendScript, type SignedIn, hashTables, minimalScript } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
let id: number
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
  id = await publish(site, member, { is_universal: false, has_key_system: true, tags: ['a'] })
})
afterAll(() => site.close())

const MIB = 1_048_576
const url = (length: number) => `https://e.example/${'a'.repeat(length - 18)}`

const LIMITS: [name: string, accepted: Record<string, unknown>, rejected: Record<string, unknown>][] = [
  ['a title of 100 characters', { title: 'x'.repeat(100) }, { title: 'x'.repeat(101) }],
  ['a title of 100 emoji', { title: '😀'.repeat(100) }, { title: '😀'.repeat(101) }],
  [
    'a title of 100 code points, most of them combining marks',
    { title: `a${'\u0301'.repeat(99)}` },
    { title: `a${'\u0301'.repeat(100)}` },
  ],
  ['a title of one character', { title: 'x' }, { title: ' \t\n' }],
  ['a title with a visible character', { title: '\u200b.' }, { title: '\u200b\u2060\ufeff' }],
  ['a title with surrounding spaces', { title: ` ${'x'.repeat(100)} ` }, { title: ` ${'x'.repeat(101)} ` }],
  ['a description of 5,000 characters', { description: 'é'.repeat(5000) }, { description: 'é'.repeat(5001) }],
  ['a description of one character', { description: 'x' }, { description: '' }],
  ['a description with line breaks and tabs', { description: 'a\n\tb\u000bc' }, { description: 'a\u001bb' }],
  ['a version of 20 characters', { version: '1'.repeat(20) }, { version: '1'.repeat(21) }],
  ['a version of one character', { version: '1' }, { version: ' ' }],
  ['code of 1 MiB', { script_content: 'x'.repeat(MIB) }, { script_content: 'x'.repeat(MIB + 1) }],
  [
    'code of 1 MiB in multi-byte characters',
    { script_content: '漢'.repeat(349_525) },
    { script_content: '漢'.repeat(349_526) },
  ],
  ['code of one byte', { script_content: 'x' }, { script_content: '' }],
  ['code with a visible character', { script_content: ' \n;' }, { script_content: '\ufeff\r\n\t' }],
  ['code with tabs and line breaks', { script_content: '\tx\r\n' }, { script_content: 'a\nb\u001bc' }],
  ['10 tags', { tags: Array.from('abcdefghij') }, { tags: Array.from('abcdefghijk') }],
  ['a tag of 30 characters', { tags: ['x'.repeat(30)] }, { tags: ['x'.repeat(31)] }],
  [
    'a tag of 30 characters after conversion to lowercase',
    { tags: ['\u0130'.repeat(15)] },
    { tags: ['\u0130'.repeat(31)] },
  ],
  ['a link of 2,048 characters', { key_system_url: url(2048) }, { key_system_url: url(2049) }],
  [
    'a link within the limit after percent-encoding',
    { key_system_url: `${url(2000)}é` },
    { key_system_url: `${url(2046)}é` },
  ],
  ['an http link', { key_system_url: 'http://e.example' }, { key_system_url: 'ftp://e.example' }],
  [
    'a link without a username',
    { key_system_url: 'https://a@b.example'.replace('a@', '') },
    { key_system_url: 'https://a@b.example' },
  ],
  ['a game id of 20 digits', { game_id: '9'.repeat(20) }, { game_id: '9'.repeat(21) }],
  ['a game id of one digit', { game_id: '0' }, { game_id: '-1' }],
]
const dependentFieldsOn = { is_universal: false, has_key_system: true }

describe('script limits', () => {
  test.each(LIMITS)('accept %s', async (_name, accepted) => {
    const response = await sendScript(site, member, { ...minimalScript, ...dependentFieldsOn, ...accepted })
    expect([response.statusCode, response.payload]).toEqual([201, expect.any(String)])
    expect((await sendChange(site, member, id, accepted)).statusCode).toBe(200)
  })

  test.each(LIMITS)(
    'reject a value outside the limit with an error on the field: %s',
    async (_name, _accepted, rejected) => {
      const before = await hashTables(site.db)
      const [field = ''] = Object.keys(rejected)
      for (const response of [
        await sendScript(site, member, { ...minimalScript, ...dependentFieldsOn, ...rejected }, 'a-key'),
        await sendChange(site, member, id, rejected),
      ]) {
        expect(response.statusCode, response.payload).toBe(400)
        const { fields, code, error } = response.json<{ fields: Record<string, string>; code: string; error: string }>()
        expect(code).toBe('invalid')
        expect(fields).toEqual({ [field]: error })
        expect(error).toMatch(/^[A-Z].*\.$/)
      }
      expect(await hashTables(site.db)).toEqual(before)
    },
  )

  test('return a sentence with the label of the form for every invalid field', async () => {
    const body = {
      title: '',
      description: 'x'.repeat(5001),
      script_content: '\u0001',
      tags: ['a,b'],
      version: ' ',
      is_universal: false,
      game_id: 'x',
      has_key_system: true,
      key_system_url: 'x',
    }
    const response = await sendScript(site, member, body)
    expect(response.json<{ fields: object }>().fields).toEqual({
      title: 'Title must not be empty.',
      description: 'Description must have at most 5000 characters.',
      script_content:
        'Script content must not contain control characters other than tabs and line breaks (U+0001 in line 1).',
      tags: "Tags can't contain commas.",
      version: 'Version must not be empty.',
      game_id: 'Game ID must be 1 to 20 digits.',
      key_system_url: 'Key link must be a URL that starts with https:// or http://.',
    })
  })

  test('name the line of a control character in the code', async () => {
    const response = await sendScript(site, member, { ...minimalScript, script_content: 'a\nb\n\u0085' })
    expect(response.json<{ error: string }>().error).toContain('U+0085 in line 3')
  })

  test('ignore dependent fields whose switch is off', async () => {
    const input = { has_key_system: false, key_system_url: 'javascript:alert(1)', is_universal: true, game_id: 'x' }
    for (const body of [input, { key_system_url: input.key_system_url, game_id: 'x' }]) {
      const response = await sendScript(site, member, { ...minimalScript, ...body })
      expect(response.statusCode).toBe(201)
      const { rows } = await site.pool.query('select key_system_url, game_id from scripts where id = $1', [
        response.json<{ script: { id: number } }>().script.id,
      ])
      expect(rows).toEqual([{ key_system_url: null, game_id: null }])
    }
  })
})

describe('an invalid form changes nothing and', () => {
  let before: unknown
  const checkUnchanged = async () => {
    expect(await hashTables(site.db)).toEqual(before)
  }
  beforeEach(async () => {
    before = await hashTables(site.db)
  })
  afterEach(checkUnchanged)

  const invalidValues: [field: string, value: unknown][] = [
    ['title', 5],
    ['title', null],
    ['title', ['x']],
    ['title', 'a\u0000b'],
    ['title', 'a\u0007b'],
    ['title', 'a\u009fb'],
    ['title', '\ud800'],
    ['description', 'a\udc00'],
    ['description', {}],
    ['script_content', 'a\u0000'],
    ['script_content', '\ud83d'],
    ['script_content', null],
    ['version', 1],
    ['tags', 'no list'],
    ['tags', '{"a":1}'],
    ['tags', '[1]'],
    ['tags', '[["a"]]'],
    ['tags', '['.repeat(5000)],
    ['tags', '["\\u0000"]'],
    ['tags', '["\\ud800"]'],
    ['tags', [1]],
    ['tags', [null]],
    ['tags', ['a,b']],
    ['tags', ['a\u0001']],
    ['tags', ['\u200b']],
    ['tags', Array.from({ length: 101 }, () => 'a')],
    ['tags', 'x'.repeat(10_001)],
    ['tags', 7],
    ['has_key_system', 'true'],
    ['is_universal', 1],
    ['is_free', null],
    ['is_public', 'false'],
    ['key_system_url', 'javascript:alert(1)'],
    ['key_system_url', 'data:text/html,x'],
    ['key_system_url', 'keys.example'],
    ['key_system_url', '//keys.example'],
    ['key_system_url', 'https://'],
    ['key_system_url', 'https://user:secret@keys.example'],
    ['key_system_url', 'https://keys.example/\u0001'],
    ['key_system_url', 5],
    ['game_id', '١٢'],
    ['game_id', '1e5'],
    ['game_id', '1 2'],
    ['game_id', 1.5],
    ['game_id', 1e30],
    ['image', 'https://elsewhere.example/x.png'],
    ['image', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['image', 'data:image/png;base64,AAAA'],
    ['image', `/media/${'0'.repeat(64)}.webp`],
    ['image', 5],
  ]
  test.each(invalidValues)('is rejected: %s %j', async (field, value) => {
    const fields = { ...dependentFieldsOn, [field]: value }
    const responses = [
      await sendScript(site, member, { ...minimalScript, ...fields }, 'a-key'),
      await sendChange(site, member, id, { [field]: value }),
    ]
    for (const response of responses) {
      expect(response.statusCode, response.payload).toBe(400)
      expect(Object.keys(response.json<{ fields: object }>().fields)).toEqual([field])
    }
  })

  test('is rejected for a prototype', async () => {
    const text = (body: object) => JSON.stringify({ ...body, unknown: 1 }).replace('unknown', '__proto__')
    expect((await sendScript(site, member, text(minimalScript))).statusCode).toBe(400)
    expect((await sendChange(site, member, id, text({ title: 'x' }))).statusCode).toBe(400)
  })

  test.each(['title', 'description', 'script_content'])('is rejected for a new script without %s', async (field) => {
    const { [field]: _omitted, ...rest } = minimalScript
    const response = await sendScript(site, member, rest)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      fields: { [field]: expect.stringMatching(/^[A-Z][a-z ]+ is required\.$/) },
    })
  })

  test.each(['', 'null', '[]', '"x"', '{', '{"title":', '[[[[', '\u0000', '1e400'])(
    'is rejected: body %j',
    async (body) => {
      expect((await sendScript(site, member, body)).statusCode).toBe(400)
    },
  )

  test('is rejected for a body larger than the largest form', async () => {
    const response = await sendScript(site, member, { ...minimalScript, image: 'x'.repeat(8_000_000) })
    expect(response.statusCode).toBe(413)
  })

  test('is rejected for an image of more than 3 MiB', async () => {
    const image = `data:image/png;base64,${Buffer.alloc(3_145_729).toString('base64')}`
    const response = await sendScript(site, member, { ...minimalScript, image })
    expect(response.statusCode).toBe(413)
    expect(response.json()).toMatchObject({ code: 'image_too_large', fields: { image: expect.any(String) } })
  })

  test.each(['', '0', '-1', 'x', '1.5', '2147483648', '1e5', '%00', '1&id=2'])(
    'is rejected for the id %j',
    async (invalidId) => {
      expect((await sendChange(site, member, invalidId, { title: 'x' })).statusCode).toBe(400)
    },
  )

  test.each(['', ' ', 'x'.repeat(101), 'a b', 'é', '\t'])('is rejected for the idempotency key %j', async (key) => {
    const response = await sendScript(site, member, minimalScript, key)
    expect(response.statusCode).toBe(400)
  })

  test.each(['yesterday', '', 'x'.repeat(41), '\u0007'])(
    'is rejected for the base timestamp %j',
    async (base_updated_at) => {
      const response = await sendChange(site, member, id, { title: 'x', base_updated_at })
      expect(response.statusCode).toBe(400)
      expect(Object.keys(response.json<{ fields: object }>().fields)).toEqual(['base_updated_at'])
    },
  )

  test('is rejected for a changelog of 2,001 characters, or with a first line of 201', async () => {
    for (const changelog of [`Subject\n${'x'.repeat(1993)}`, `${'x'.repeat(201)}\nDetails`]) {
      const response = await sendChange(site, member, id, { version: '9', changelog })
      expect(response.json()).toMatchObject({ fields: { changelog: expect.any(String) } })
    }
  })
})

test('ignores fields that a script does not take from its author', async () => {
  const other = await makeMember(site.db)
  const surplus = {
    id: 1,
    slug: 'x',
    author_id: other,
    is_featured: true,
    is_verified: true,
    view_count: 9,
    user_id: 1,
  }
  const response = await sendScript(site, member, { ...minimalScript, ...surplus })
  expect(response.statusCode).toBe(201)
  const { script } = response.json<{ script: { id: number } }>()
  const changed = await sendChange(site, member, script.id, { title: 'Other', ...surplus })
  const shown = changed.json<{ script: { author_id: number } }>().script
  expect(shown.author_id).not.toBe(other)
  expect(shown).toMatchObject({
    id: script.id,
    title: 'Other',
    is_featured: false,
    is_verified: false,
    view_count: 0,
  })
})
