import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '../src/sandbox/sandbox.ts'
import { bombScripts, hasEscaped, quickScripts } from './hostile-scripts.ts'

const sandbox = new Sandbox({ runMs: 500 })
afterAll(() => sandbox.close())

test('every hostile script gets a verdict, and none gets out', async () => {
  const property = fc.asyncProperty(fc.oneof(quickScripts, bombScripts), async (code) => {
    const { capabilities, opaque } = await sandbox.run(code)
    expect(hasEscaped(capabilities)).toBe(false)
    expect(opaque.every(({ reason, count }) => reason.length > 5 && count > 0)).toBe(true)
  })
  await fc.assert(property, { numRuns: 3, endOnFailure: true })
  expect(await sandbox.compile('return 1')).toEqual({ compiles: true, error: null })
}, 120_000)
