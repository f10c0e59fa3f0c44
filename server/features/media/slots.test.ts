import { expect, test } from 'vitest'
import { openSlots } from './slots.ts'

const settle = () => new Promise((resolve) => void setImmediate(resolve))

/** Slots whose tasks end when told, and the numbers of those that began. */
function open(running: number, waiting: number) {
  const slots = openSlots({ running, waiting, refuse: () => new Error('full') })
  const begun: number[] = []
  const endings: (() => void)[] = []
  const run = (number: number) =>
    slots.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => void endings.push(resolve))
      if (number === 1) throw new Error('broken')
      return number
    })
  return { slots, begun, endings, run }
}

test('so many run at once, the others in the order in which they came, also after a failure', async () => {
  const { slots, begun, endings, run } = open(2, 9)
  const results = Promise.allSettled([1, 2, 3, 4].map(run))

  await settle()
  expect(begun).toEqual([1, 2])
  endings.shift()?.()
  await settle()
  expect(begun).toEqual([1, 2, 3])
  endings.splice(0).forEach((end) => end())
  await settle()
  expect(begun).toEqual([1, 2, 3, 4])
  endings.splice(0).forEach((end) => end())
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect(await slots.run(() => Promise.resolve('free again'))).toBe('free again')
})

test('what comes when enough are waiting is refused, and taken again once one has ended', async () => {
  const { slots, begun, endings, run } = open(1, 1)
  const results = [run(5), run(6)]
  await settle()
  await expect(run(7)).rejects.toThrow('full')
  expect(slots.requireRoom).toThrow('full')
  endings.shift()?.()
  await settle()
  slots.requireRoom()
  results.push(run(8))
  for (let left = 2; left > 0; left--) {
    endings.shift()?.()
    await settle()
  }
  await Promise.all(results)
  expect(begun).toEqual([5, 6, 8])
})
