import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sample, TEST_SEED } from './seed.ts'

test('a property without a seed of its own uses the seed of the run', () => {
  expect(fc.readConfigureGlobal()?.seed).toBe(TEST_SEED)
})

test('consecutive samples differ', () => {
  expect(sample(fc.nat(), 20)).not.toEqual(sample(fc.nat(), 20))
})

describe('a sample', () => {
  const drawn: number[][] = []
  test('of one test', () => void drawn.push(sample(fc.nat(), 20)))
  test('does not depend on the samples of other tests', () => expect(sample(fc.nat(), 20)).toEqual(drawn[0]))
})
