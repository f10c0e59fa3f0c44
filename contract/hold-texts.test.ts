import { describe, expect, test } from 'vitest'
import { declarableIds, describeReason, describeReasons } from './hold-texts.ts'
import { SERIOUS_CAPABILITIES } from './version-states.ts'
import type { HoldReason } from './versions.ts'

const reason = (fields: Partial<HoldReason>): HoldReason => ({
  id: 'net.webhook',
  host: null,
  line: null,
  detail: null,
  ...fields,
})

describe('the text of a reason', () => {
  test('names the service, the host and the line', () => {
    expect(describeReason(reason({ host: 'discord.com', line: 93 }))).toBe(
      'it would start to send messages to a Discord webhook, line 93',
    )
    expect(describeReason(reason({ host: 'canary.discord.com' }))).toContain('a Discord webhook')
    expect(describeReason(reason({ host: 'notdiscord.com' }))).toContain('send messages to notdiscord.com')
    expect(describeReason(reason({ id: 'code.remote', host: 'discord.com' }))).toContain('from discord.com')
    expect(describeReason(reason({}))).toBe('it would start to send messages to a webhook')
  })

  test('of a first version does not compare', () => {
    expect(describeReason(reason({ id: 'fs.delete', line: 4 }), { isFirst: true })).toBe(
      'it would delete files, line 4',
    )
  })

  test('that is no finding is a sentence of its own', () => {
    expect(describeReason(reason({ id: 'check_failed' }))).toBe('it could not be checked')
  })

  test('exists for each serious finding', () => {
    for (const id of SERIOUS_CAPABILITIES) {
      expect(describeReason(reason({ id, host: 'example.com' }))).toMatch(/^it would start to [a-z]/)
      expect(describeReason(reason({ id }))).not.toMatch(/\{|undefined/)
    }
  })
})

test('several reasons are counted', () => {
  const reasons = [reason({ id: 'fs.delete', line: 2 }), reason({}), reason({})]
  expect(describeReasons(reasons)).toBe('it would start to delete files, line 2, and 2 more')
  expect(describeReasons([])).toBe('it waits for a decision')
})

test('only serious findings can be declared, each once', () => {
  expect(declarableIds([reason({}), reason({ host: 'a.example' }), reason({ id: 'check_failed' })])).toEqual([
    'net.webhook',
  ])
})
