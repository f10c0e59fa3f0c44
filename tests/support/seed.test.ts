import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample, TEST_SEED } from './seed.ts'

test('a property without a seed uses the seed of the run', () => {
  expect(fc.readConfigureGlobal()?.seed).toBe(TEST_SEED)
})

test('consecutive samples differ', () => {
  expect(sample(fc.nat(), 20)).not.toEqual(sample(fc.nat(), 20))
})

const drawn: number[][] = []
test.each([1, 2])('a sample does not depend on the samples of other tests (%i)', () => {
  drawn.push(sample(fc.nat(), 20))
  expect(drawn.at(-1)).toEqual(drawn[0])
})
