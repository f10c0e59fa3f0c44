import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NewScript } from '#contract/script-input.ts'
import { FIELDS, insertSlug, readText } from '@scriptyard/cli/manifest'

test.each([
  ['{"site":"x"}', '{"slug": "lamp-1", "site":"x"}'],
  [
    '\uFEFF{\r\n\t"site": "slug",\r\n\t"tags": [ "slug" ]\r\n}',
    '\uFEFF{\r\n\t"slug": "lamp-1",\r\n\t"site": "slug",\r\n\t"tags": [ "slug" ]\r\n}',
  ],
  ['{ "a": { "slug": "b" }, "slug" : "" }', '{ "a": { "slug": "b" }, "slug" : "lamp-1" }'],
])('the slug is written into %j without other changes', (manifest, changed) => {
  expect(insertSlug(manifest, 'lamp-1')).toBe(changed)
})

test('code is read when the folder is the root of the file system', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-cli-'))
  writeFileSync(path.join(folder, 'lamp.luau'), 'return 1')
  const { root } = path.parse(folder)
  expect(readText(root, path.relative(root, path.join(folder, 'lamp.luau')), 100)).toBe('return 1')
  rmSync(folder, { recursive: true })
})

test('the schema, the program and the site know the same fields', () => {
  const schema = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../packages/cli/scriptyard.schema.json'), 'utf8'),
  ) as {
    properties: object
  }
  expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(FIELDS).toSorted())
  const own = new Set(['$schema', 'site', 'slug', 'file'])
  const sent = Object.keys(FIELDS).filter((name) => !own.has(name))
  // The code is in the file; the pictures are chosen on the site.
  const elsewhere = new Set(['script_content', 'image', 'screenshots'])
  const fields = Object.keys(NewScript.properties).filter((name) => !elsewhere.has(name))
  expect(sent.toSorted()).toEqual(fields.toSorted())
})
