import { expect, test } from 'vitest'
import { readAudit } from './read-audit.ts'

const advisory = (severity: string) => ({
  severity,
  via: ['other-package', { title: 'Reads too much', url: 'https://github.com/advisories/1' }],
})
const output = (severity: string) =>
  JSON.stringify({ vulnerabilities: { some: advisory(severity) }, metadata: { dependencies: { prod: 12 } } })

test.each(['high', 'critical'])('an advisory of %s severity is named and fails', (severity) => {
  expect(readAudit(output(severity))).toEqual({
    isBad: true,
    text: `some (${severity}): Reads too much https://github.com/advisories/1`,
  })
})

test.each(['low', 'moderate'])('an advisory of %s severity passes', (severity) => {
  expect(readAudit(output(severity))).toEqual({ isBad: false, text: 'No advisory of high severity for 12 packages.' })
})

test.each(['', 'npm error audit endpoint returned an error', '{"error":{"code":"ENOTFOUND"}}'])(
  'a registry that sent %j passes as not checked',
  (sent) => {
    expect(readAudit(sent)).toEqual({ isBad: false, text: 'Not checked: the registry sent no advisories.' })
  },
)
