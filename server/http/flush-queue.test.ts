import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FlushQueue } from './flush-queue.ts'

test('what comes up in one turn is done at its end, in order', async () => {
  const done: number[] = []
  const batch = new FlushQueue<number>((item) => done.push(item))
  for (const item of [1, 2, 3]) batch.add(item)
  await Promise.resolve()
  expect(done).toEqual([])
  await setImmediate()
  expect(done).toEqual([1, 2, 3])
})

test('many do not wait for the end', async () => {
  const done: number[] = []
  const batch = new FlushQueue<number>((item) => done.push(item))
  for (let item = 0; item < 70; item++) batch.add(item)
  expect(done).toHaveLength(64)
  await setImmediate()
  expect(done).toEqual(Array.from({ length: 70 }, (_, item) => item))
})

test('what comes up meanwhile is done in the next turn', async () => {
  const done: number[] = []
  const batch = new FlushQueue<number>((item) => {
    done.push(item)
    if (item === 1) batch.add(2)
  })
  batch.add(1)
  await setImmediate()
  await setImmediate()
  expect(done).toEqual([1, 2])
})
