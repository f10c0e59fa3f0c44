import { expect, test } from 'vitest'
import { runEach } from './run-each.ts'

test('an item that fails does not stop those behind it, and its error is thrown at the end', async () => {
  const done: number[] = []
  const running = runEach([1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error(`broken ${item}`)
    done.push(item)
  })
  await expect(running).rejects.toThrow('broken 2')
  expect(done).toEqual([1, 3])
})
