import fc from 'fast-check'
import { expect } from 'vitest'

/** Seed of every random value in this run. vitest.config.ts picks one; `TEST_SEED=... npm test` repeats a run. */
export const TEST_SEED = Number(process.env['TEST_SEED'])

const isFull = process.env['TEST_FULL'] === '1'

/**
 * How often a race or a random case is repeated: `full` times by `npm run test:full`, otherwise `usual` times. Every run
 * draws other values and finds other interleavings.
 */
export const repetitions = (usual: number, full: number): number => (isFull ? full : usual)

const calls = new Map<string, number>()

/**
 * Draws `count` random values that depend only on TEST_SEED, the running test and the number of earlier calls in it, so
 * that a file or a test run alone repeats what it drew in the full run.
 */
export function sample<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  const { testPath = '', currentTestName = '' } = expect.getState()
  const key = `${testPath} ${currentTestName}`
  const call = calls.get(key) ?? 0
  calls.set(key, call + 1)
  return fc.sample(arbitrary, { seed: TEST_SEED + call, numRuns: count })
}
