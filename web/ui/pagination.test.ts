import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageWindow } from './pagination.tsx'

describe('pageWindow', () => {
  test.each([
    [1, 1, [1]],
    [1, 2, [1, 2]],
    [1, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 8, [1, 2, 3, 4, 5, 'gap', 8]],
    [4, 8, [1, 2, 3, 4, 5, 'gap', 8]],
    [5, 8, [1, 'gap', 4, 5, 6, 7, 8]],
    [5, 9, [1, 'gap', 4, 5, 6, 'gap', 9]],
    [8, 8, [1, 'gap', 4, 5, 6, 7, 8]],
    [50_000, 50_000, [1, 'gap', 49_996, 49_997, 49_998, 49_999, 50_000]],
    [99, 3, [1, 2, 3]],
  ])('offers for page %i of %i the steps %j', (page, pages, steps) => {
    expect(pageWindow(page, pages)).toEqual(steps)
  })

  test('contains the first, last and current page in order, and never hides a single page', () => {
    const pages = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(pages, pages, fc.integer({ min: 0, max: 3 }), (one, other, reach) => {
        const [page, last] = one < other ? [one, other] : [other, one]
        const steps = pageWindow(page, last, reach)
        const numbers = steps.filter((step) => step !== 'gap')
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
        expect(numbers).toContain(page)
        expect([numbers[0], numbers.at(-1)]).toEqual([1, last])
        for (const [index, step] of steps.entries()) {
          const before = steps[index - 1]
          const after = steps[index + 1]
          if (step !== 'gap') continue
          expect(Number(after) - Number(before)).toBeGreaterThan(2)
        }
      }),
    )
  })

  test('has the same length on every page of a long list', () => {
    const lengths = Array.from({ length: 40 }, (_, index) => pageWindow(index + 1, 40).length)
    expect(new Set(lengths)).toEqual(new Set([7]))
  })
})
