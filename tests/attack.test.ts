import { expect, test } from 'vitest'
import { type AttackOptions, PARTS, runPart } from '#lab/attack/parts.ts'
import { formatResults, Report } from '#lab/attack/report.ts'
import { TEST_SEED } from '#tests/support/seed.ts'

const options: AttackOptions = { seed: TEST_SEED, isQuick: true }

// A subset of npm run attack. Rights are covered by actors.test.ts.
test.each(['fuzz', 'kill-server', 'kill-postgres'])(
  'the site withstands the attack %s',
  { timeout: 240_000 },
  async (name) => {
    const result = await runPart(name, options)
    expect(formatResults([result]).split('\n').slice(2)).toEqual([])
    expect(result.report.requests).toBeGreaterThan(200)
  },
)

test('a part that throws has failed', async () => {
  PARTS['broken'] = () => Promise.reject(new Error('out of order'))
  const { report } = await runPart('broken', options)
  delete PARTS['broken']
  expect([...report.failures.keys()].join()).toContain('out of order')
  expect(report.verdict).toBe('failed')
})

test('the table lists skipped parts as skipped and each failure once', () => {
  const [failed, skipped] = [new Report(), new Report()]
  for (let i = 0; i < 3; i++) failed.check(false, () => 'it broke')
  failed.recordRequest(1234)
  skipped.skip('because there is no disk')
  const results = [
    { name: 'a', report: failed, seconds: 2 },
    { name: 'b', report: skipped, seconds: 0 },
  ]
  expect(formatResults(results).split('\n')).toEqual([
    'part  requests  checks  failures  worst ms  seconds  verdict',
    'a            1       3         3     1,234        2  failed',
    'b            0       0         0         0        0  skipped',
    'a: it broke (3 times)',
    'b: skipped, because there is no disk',
  ])
})

test('the table shows measurements below their part, beside their target', () => {
  const report = new Report()
  report.recordMeasurement({ name: '/healthz', calls: 70, worstMs: 180.4, targetMs: 250, worstServedMs: 60 })
  report.recordMeasurement({ name: 'lists', calls: 30, worstMs: 300 })
  report.recordMeasurement({ name: 'publishing', calls: 5, worstMs: 900, targetMs: 500 })
  expect(
    formatResults([{ name: 'bodies', report, seconds: 2 }])
      .split('\n')
      .slice(1),
  ).toEqual([
    'bodies             105       0         0       900        2  passed',
    '  /healthz          70                         180           within 250 ms; 60 ms less waits for a processor',
    '  lists             30                         300',
    '  publishing         5                         900           over 500 ms',
  ])
})
