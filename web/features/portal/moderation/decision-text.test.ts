import { expect, test } from 'vitest'
import type { CaseFinding, ReportCase } from '#contract/reports.ts'
import { decisionText, isUnwritten, ruleOf } from './decision-text.ts'

const finding: CaseFinding = { id: 'net.webhook', host: 'discord.com', line: 4, excerpt: '', detail: '' }

const reported = (...reasons: ReportCase['reports'][number]['reason'][]) => ({
  reason: 'report' as const,
  reports: reasons.map((reason) => ({ reporter_name: 'Ada', reason, text: null, created_at: '' })),
})

test('a case is about the rule that most reports name, the first of equals', () => {
  expect(ruleOf(reported('nsfw', 'spam', 'spam'))).toBe('spam')
  expect(ruleOf(reported('nsfw', 'spam'))).toBe('nsfw')
  expect(ruleOf(reported())).toBeUndefined()
})

test('a case of the site is about the rule of what was found, whatever members add', () => {
  expect(ruleOf({ ...reported('spam'), reason: 'identical_code' })).toBe('stolen')
})

test('the author reads the rule, and for malicious code the hosts and lines', () => {
  expect(decisionText('nsfw', [finding])).toBe('This is not safe for work.')
  expect(decisionText('malicious', [finding])).toMatch(/\. We found it here: discord\.com, line 4\.$/)
  expect(decisionText('malicious', null)).not.toContain('We found it here')
})

test('only a text that nobody has changed is replaced', () => {
  expect(isUnwritten(' ', null)).toBe(true)
  expect(isUnwritten(decisionText('malicious', [finding]), [finding])).toBe(true)
  expect(isUnwritten(`${decisionText('spam', null)} Again.`, null)).toBe(false)
})
