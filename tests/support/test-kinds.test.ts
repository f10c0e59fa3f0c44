import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { classify, findTestFiles } from './test-kinds.ts'

test('classifies test files by what they and their helpers import', () => {
  expect(classify('contract/slug.test.ts')).toBe('unit')
  expect(classify('tests/actors.test.ts')).toBe('api')
  expect(classify('tests/start.test.ts')).toBe('infra')
})

test('no unit test uses the database', () => {
  const { unit } = findTestFiles()
  expect(unit.filter((file) => /inject\('postgres'\)/.test(readFileSync(file, 'utf8')))).toEqual([])
})
