import { expect, test } from 'vitest'
import { openSlots } from './slots.ts'

test('so many run at once, the others in the order in which they came, also after a failure', async () => {
  const inTurn = openSlots(2)
  const begun: number[] = []
  const endings: (() => void)[] = []
  const run = (number: number) =>
    inTurn(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => void endings.push(resolve))
      if (number === 1) throw new Error('broken')
      return number
    })
  const results = Promise.allSettled([1, 2, 3, 4].map(run))
  const settle = () => new Promise((resolve) => void setImmediate(resolve))

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
  expect(await inTurn(() => Promise.resolve('free again'))).toBe('free again')
})
