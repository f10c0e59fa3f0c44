import { expect, test } from 'vitest'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { describeChange } from './behavior-changes.ts'

const none = { starts: [], stops: [], hosts_added: [], hosts_removed: [] }

test('an update without a change has no sentences', () => {
  expect(describeChange(none)).toEqual([])
})

test('what starts comes first, then what stops', () => {
  expect(
    describeChange({
      starts: ['net.exfiltration', 'code.remote'],
      stops: ['fs.write', 'user.key'],
      hosts_added: ['discord.com'],
      hosts_removed: [],
    }),
  ).toEqual([
    'starts to send data about you, run downloaded code and contact discord.com',
    'no longer saves files or asks for a key',
  ])
})

test('hosts alone are a change, and only three are named', () => {
  expect(describeChange({ ...none, hosts_added: ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'] })).toEqual([
    'starts to contact a.com, b.com, c.com and 2 more servers',
  ])
  expect(describeChange({ ...none, hosts_removed: ['a.com', 'b.com'] })).toEqual(['no longer contacts a.com and b.com'])
})

test('every capability can start and stop', () => {
  for (const id of CAPABILITY_IDS) {
    expect(describeChange({ ...none, starts: [id], stops: [id] })).toEqual([
      expect.stringMatching(/^starts to \w.{5,}/),
      expect.stringMatching(/^no longer \w.{5,}/),
    ])
  }
})
