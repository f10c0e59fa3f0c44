import { expect, test } from 'vitest'
import { coverCost } from './toast-corner.ts'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const message = box(16, 760, 384, 60)

test('covering nothing costs nothing, and a focus ring counts as part of its control', () => {
  expect(coverCost(message, [])).toBe(0)
  expect(coverCost(message, [{ box: box(410, 760, 80, 40), weight: 10 }])).toBe(0)
  expect(coverCost(message, [{ box: box(403, 760, 80, 40), weight: 10 }])).toBeGreaterThan(0)
  expect(coverCost(message, [{ box: box(16, 825, 80, 40), weight: 10 }])).toBe(0)
})

test('the focused control costs more than many others, and a part of it less than all of it', () => {
  const others = Array.from({ length: 20 }, () => ({ box: message, weight: 10 }))
  const focused = coverCost(message, [{ box: box(100, 770, 20, 20), weight: 1000 }])
  expect(focused).toBeGreaterThan(coverCost(message, others))
  expect(focused).toBeLessThan(coverCost(message, [{ box: message, weight: 1000 }]))
})
