import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeSlug, readScriptId, scriptFileName, scriptSlug } from './slug.ts'

describe('makeSlug', () => {
  test.each([
    ['Hello World', 'hello-world'],
    ['  Edge  spaces\tand\nlines ', 'edge-spaces-and-lines'],
    ['--a -- b--', 'a-b'],
    ['C++ & Rust: 100%!', 'c-rust-100'],
    ['snake_case', 'snakecase'],
    ['❤️ Heart', 'heart'],
    ['Heart ❤️', 'heart'],
    ['1️⃣ First', '1-first'],
    ['A\u20DD b\uFE0F', 'a-b'],
    ['\u0301a \u0301b', 'a-b'],
    ['می\u200Cخواهم', 'میخواهم'],
    ['हिन्दी', 'हिन्दी'],
    ['Ünïcode Straße', 'ünïcode-straße'],
    ['قائمة', 'قائمة'],
    ['!!!', ''],
    ['', ''],
    ['a - ! - b', 'a-b'],
  ])('turns %j into %j', (title, slug) => {
    expect(makeSlug(title)).toBe(slug)
  })

  test('keeps underscores for profiles', () => {
    expect(makeSlug('Dark_Mode User', { allowUnderscores: true })).toBe('dark_mode-user')
  })

  test('is linear in the length of its input', () => {
    expect(makeSlug('-'.repeat(1_000_000))).toBe('')
    expect(makeSlug('- '.repeat(300_000) + 'x' + ' -'.repeat(300_000))).toBe('x')
  })

  test('never leaves doubled or edge hyphens, and repeating it changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const slug = makeSlug(text)
        expect(slug).not.toMatch(/--|^-|-$|\s/u)
        expect(makeSlug(slug)).toBe(slug)
      }),
    )
  })
})

test('a file has the name of the slug, in at most 255 bytes and with its id', () => {
  expect(scriptFileName('lamp-7')).toBe('lamp-7.luau')
  const name = scriptFileName(scriptSlug('漢'.repeat(100), 12_345))
  expect(name).toMatch(/^漢+-12345\.luau$/)
  expect(new TextEncoder().encode(name).length).toBeGreaterThan(250)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 2_147_483_647 }),
      (title, id) => {
        const file = scriptFileName(scriptSlug(title, id))
        expect(new TextEncoder().encode(file).length).toBeLessThanOrEqual(255)
        expect(readScriptId(file.replace('.luau', ''))).toBe(id)
      },
    ),
  )
})

describe('readScriptId', () => {
  test.each([
    ['admin-tools-12', 12],
    ['-7', 7],
    ['a-2147483647', 2147483647],
    ['a-2147483648', null],
    ['a-0', null],
    ['a-99999999999999999999', null],
    ['12', null],
    ['no-number', null],
    ['a-12x', null],
    ['', null],
    ['a-', null],
    ['a-1e3', null],
    ['x'.repeat(10_000), null],
  ])('reads %j as %j', (slug, id) => {
    expect(readScriptId(slug)).toBe(id)
  })

  test('reads back what scriptSlug wrote', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 2_147_483_647 }), (title, id) => {
        expect(readScriptId(scriptSlug(title, id))).toBe(id)
      }),
    )
  })
})
