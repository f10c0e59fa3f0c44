import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DelayedUpdate } from './delayed-update.ts'

const DELAY_MS = 20

function record() {
  const updates: string[] = []
  return { updates, delayed: new DelayedUpdate((code) => updates.push(code), DELAY_MS) }
}

test('only the newest code is read, once, after the delay', async () => {
  const { updates, delayed } = record()
  let reads = 0
  const read = (code: string) => () => {
    reads += 1
    return code
  }
  delayed.schedule(read('a'))
  delayed.schedule(read('ab'))
  expect(updates).toEqual([])
  await setTimeout(5 * DELAY_MS)
  expect([updates, reads]).toEqual([['ab'], 1])
})

test('a flush passes on what is waiting, and nothing comes after it', async () => {
  const { updates, delayed } = record()
  delayed.flush()
  expect(updates).toEqual([])
  delayed.schedule(() => 'a')
  delayed.flush()
  expect(updates).toEqual(['a'])
  await setTimeout(3 * DELAY_MS)
  expect(updates).toEqual(['a'])
})
