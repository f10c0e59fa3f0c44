import { readdirSync, readFileSync } from 'node:fs'
import { Config, formatCode, IndentType, LuaVersion, OutputVerification } from '@johnnymorganz/stylua'
import { expect, test } from 'vitest'
import { demoHistories, versionsOf } from './versions.ts'

const folder = new URL('./scripts/', import.meta.url)
const files = readdirSync(folder)

function format(source: string): string {
  const config = Config.new()
  config.syntax = LuaVersion.Luau
  config.indent_type = IndentType.Tabs
  return formatCode(source, config, undefined, OutputVerification.Full)
}

test.each(files)('every demo script parses as Luau and is formatted: %s', (file) => {
  const source = readFileSync(new URL(file, folder), 'utf8')
  expect(format(source)).toBe(source)
})

test.each(Object.keys(demoHistories))('every version parses as Luau and is formatted: %s', (file) => {
  for (const { content, version } of versionsOf(file, '', readFileSync(new URL(file, folder), 'utf8'))) {
    expect(format(content), version).toBe(content)
  }
})

test('the parser refuses what is not Luau', () => {
  expect(() => format('local function broken( return end')).toThrow(/pars/)
})

test.each(files)('every demo script opens with the strict mode and a header that says how to use it: %s', (file) => {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n')
  expect(lines[0]).toBe('--!strict')
  expect(lines.slice(1, 4).every((line) => line.startsWith('-- '))).toBe(true)
})

test.each([
  ['code from elsewhere', /loadstring|HttpGet|GetObjects|HttpService/i],
  [
    "an executor's functions",
    /getgenv|getrenv|getgc|hookfunction|hookmetamethod|getrawmetatable|\bsyn\.|fireclickdetector/i,
  ],
  ['deprecated calls', /(?<![.:\w])(wait|spawn|delay)\s*\(/],
])('no demo script uses %s', (_what, forbidden) => {
  const guilty = files.filter((file) => forbidden.test(readFileSync(new URL(file, folder), 'utf8')))
  expect(guilty).toEqual([])
})
