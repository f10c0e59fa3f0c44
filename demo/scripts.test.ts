import { readdirSync, readFileSync } from 'node:fs'
import { Config, formatCode, IndentType, LuaVersion, OutputVerification } from '@johnnymorganz/stylua'
import { expect, test } from 'vitest'
import { demoHistories, versionsOf } from './versions.ts'

const folder = new URL('./scripts/', import.meta.url)
const files = readdirSync(folder)

/** They show what a behavior card says: each does one thing that the others must not do. Their addresses lead nowhere. */
const EXAMPLES = {
  'code from elsewhere': ['error-reporter.luau', 'map-vote-loader.luau', 'score-board.luau'],
  "an executor's functions": ['lobby-clock.luau'],
  'deprecated calls': [],
}
const DOES_NOT_COMPILE = 'flashlight.luau'

function format(source: string): string {
  const config = Config.new()
  config.syntax = LuaVersion.Luau
  config.indent_type = IndentType.Tabs
  return formatCode(source, config, undefined, OutputVerification.Full)
}

test.each(files.filter((file) => file !== DOES_NOT_COMPILE))(
  'every demo script parses as Luau and is formatted: %s',
  (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8')
    expect(format(source)).toBe(source)
  },
)

test.each(Object.keys(demoHistories))('every version parses as Luau and is formatted: %s', (file) => {
  for (const { content, version } of versionsOf(file, '', readFileSync(new URL(file, folder), 'utf8'))) {
    expect(format(content), version).toBe(content)
  }
})

test('the parser rejects what is not Luau', () => {
  expect(() => format('local function broken( return end')).toThrow(/pars/)
  expect(() => format(readFileSync(new URL(DOES_NOT_COMPILE, folder), 'utf8'))).toThrow(/pars/)
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
    /getgenv|getrenv|getgc|hookfunction|hookmetamethod|getrawmetatable|\bsyn\.|\brequest\(|fireclickdetector/i,
  ],
  ['deprecated calls', /(?<![.:\w])(wait|spawn|delay)\s*\(/],
] as const)('only examples for behavior cards use %s', (what, forbidden) => {
  const guilty = files.filter((file) => forbidden.test(readFileSync(new URL(file, folder), 'utf8')))
  expect(guilty.toSorted()).toEqual(EXAMPLES[what])
})

test('the addresses in demo scripts lead nowhere', () => {
  const addresses = files.flatMap((file) => readFileSync(new URL(file, folder), 'utf8').match(/https?:[^"\s]+/g) ?? [])
  const isNowhere = (address: string) =>
    /^https:\/\/(\w+\.example\.com\/|discord\.com\/api\/webhooks\/0+\/)/.test(address)
  expect(addresses.length).toBeGreaterThan(3)
  expect(addresses.filter((address) => !isNowhere(address))).toEqual([])
})
