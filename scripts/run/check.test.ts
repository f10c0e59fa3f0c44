import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const PROGRAM = `
import { runChecks } from './scripts/run/check.mjs'
const slow = "console.log('one'); setTimeout(() => { console.error('two'); process.exitCode = 1 }, 300)"
const failed = await runChecks(process.execPath, [['slow', ['-e', slow]], ['quick', ['-e', "console.log('three')"]]])
console.log('failed:', failed.join())
`

test('the checks are all waited for, and the output of each is printed in one piece', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { encoding: 'utf8' })
  expect(output).toBe('three\nok     quick\none\ntwo\nFAILED slow\nfailed: slow\n')
})
