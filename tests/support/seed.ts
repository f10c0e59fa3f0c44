import fc from 'fast-check'
import { expect } from 'vitest'

/** Seed of every random value in this run. vitest.config.ts picks one; `TEST_SEED=... npm test` repeats a run. */
export const TEST_SEED = Number(process.env['TEST_SEED'])

const isFull = process.env['TEST_FULL'] === '1'

/** `full` in `npm run test:full`, otherwise `usual`. Every run draws other values and finds other interleavings. */
export const repetitions = (usual: number, full: number): number => (isFull ? full : usual)

const calls = new Map<string, number>()

/** Depends only on TEST_SEED, the running test and its earlier calls, so a test alone repeats its draws. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  const { testPath = '', currentTestName = '' } = expect.getState()
  const key = `${testPath} ${currentTestName}`
  const call = calls.get(key) ?? 0
  calls.set(key, call + 1)
  return fc.sample(arbitrary, { seed: TEST_SEED + call, numRuns: count })
}
