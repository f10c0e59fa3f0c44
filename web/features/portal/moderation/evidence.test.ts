import { describe, expect, test } from 'vitest'
import type { CaseFinding } from '#contract/reports.ts'
import { cutLine, describeWhere, groupByKind, groupFindings, splitAtHosts } from './evidence.ts'

const find = (line: number | null, part: Partial<CaseFinding> = {}): CaseFinding => ({
  id: 'net.webhook',
  host: 'discord.com',
  line,
  excerpt: '',
  detail: '',
  ...part,
})

describe('findings become snippets', () => {
  test('with three lines around them, inside the code', () => {
    expect(groupFindings([find(1), find(20)], 21)).toEqual({
      snippets: [
        { first: 1, last: 4, findings: [find(1)] },
        { first: 17, last: 21, findings: [find(20)] },
      ],
      others: [],
    })
  })

  test('that are merged if their lines touch, in the order of the code', () => {
    expect(groupFindings([find(17), find(10)], 100).snippets).toEqual([
      { first: 7, last: 20, findings: [find(10), find(17)] },
    ])
    expect(groupFindings([find(10), find(18)], 100).snippets).toHaveLength(2)
  })

  test('and those without a line, or after the end of the code, stay apart', () => {
    expect(groupFindings([find(null), find(9)], 5)).toEqual({ snippets: [], others: [find(null), find(9)] })
  })
})

test('findings of the same kind are named once, with their hosts and lines', () => {
  const findings = [find(9, { detail: 'a' }), find(4, { detail: 'a' }), find(4, { id: 'code.remote', host: null })]
  expect(groupByKind(findings)).toEqual([
    { id: 'net.webhook', where: 'discord.com, lines 4 and 9', details: ['a'] },
    { id: 'code.remote', where: 'line 4', details: [] },
  ])
  expect(describeWhere([find(3), find(2, { host: 'a.example' }), find(1)])).toBe(
    'discord.com, a.example, lines 1, 2 and 3',
  )
  expect(describeWhere([find(null, { host: null })])).toBe('')
})

test('hosts are split off the code, also with other case', () => {
  expect(splitAtHosts('get("https://Discord.com/api")', ['discord.com'])).toEqual([
    { text: 'get("https://', isHost: false },
    { text: 'Discord.com', isHost: true },
    { text: '/api")', isHost: false },
  ])
  // A dot of a host is only a dot.
  expect(splitAtHosts('discordXcom', ['discord.com'])).toEqual([{ text: 'discordXcom', isHost: false }])
  expect(splitAtHosts('a', [])).toEqual([{ text: 'a', isHost: false }])
})

test('long lines are cut around the host, or after their start', () => {
  const line = `${'a'.repeat(1000)}discord.com${'b'.repeat(1000)}`
  const cut = cutLine(line, ['discord.com'])
  expect(cut).toMatch(/^…a+discord\.comb+…$/)
  expect(cut).toHaveLength(242)
  expect(cutLine(line, [])).toBe(`${'a'.repeat(240)}…`)
  expect(cutLine('short', ['discord.com'])).toBe('short')
})
