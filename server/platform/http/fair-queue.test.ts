import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { FairQueue, type FairQueueOptions, type Owner } from './fair-queue.ts'

const settle = () => new Promise((resolve) => void setImmediate(resolve))

const errors = {
  busy: () => new AppError('busy', 503, 'Busy.'),
  tooMany: () => new AppError('too_many', 429, 'Too many.'),
}

/** A queue whose tasks finish on demand, in the order of their start. The task '!' fails. */
function createQueue(options: Partial<FairQueueOptions> = {}) {
  const started: string[] = []
  const finishers: (() => void)[] = []
  const queue = new FairQueue({ concurrency: 2, maxWaiting: 9, maxPerOwner: 4, errors, ...options })
  const run = (name: string, owner: Owner, isLarge = false) =>
    queue.run({ owner, isLarge }, async () => {
      started.push(name)
      await new Promise<void>((resolve) => void finishers.push(resolve))
      if (name === '!') throw new Error('broken')
      return name
    })
  const finish = async () => {
    finishers.shift()?.()
    await settle()
  }
  const finishAll = async (results: Promise<string>[]) => {
    const settled = Promise.allSettled(results)
    while (finishers.length > 0) await finish()
    return settled
  }
  return { queue, started, run, finish, finishAll }
}

test('runs a limited number of tasks at a time, in order of arrival, also after a failure', async () => {
  const { started, run, finish, finishAll } = createQueue()
  const results = [run('a', 1), run('!', 2), run('c', 3), run('d', 4)]
  await settle()
  expect(started.join('')).toBe('a!')
  await finish()
  expect(started.join('')).toBe('a!c')
  const settled = await finishAll(results)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(started.join('')).toBe('a!cd')
})

test('rejects tasks while it is full, and accepts tasks again after one has finished', async () => {
  const { queue, run, finish, finishAll } = createQueue({ concurrency: 1, maxWaiting: 1 })
  const results = [run('a', 1), run('b', 2)]
  await settle()
  await expect(run('c', 3)).rejects.toMatchObject({ code: 'busy', status: 503 })
  expect(() => queue.requireCapacity(3)).toThrow(expect.objectContaining({ code: 'busy' }))
  await finish()
  queue.requireCapacity(3)
  await finishAll(results)
})

test("runs one of an owner's tasks at a time, and others' before the next", async () => {
  const { started, run, finish, finishAll } = createQueue()
  const results = [run('a', 1), run('b', 1), run('c', 1), run('d', 2), run('e', 3)]
  await settle()
  expect(started.join('')).toBe('ad')
  await finish()
  expect(started.join('')).toBe('ade')
  await finishAll(results)
  expect(started.join('')).toBe('adebc')
})

test('rejects the fifth task of an owner, not those of others or of the site', async () => {
  const { queue, run, finishAll } = createQueue({ concurrency: 1 })
  const results = [run('a', 1), run('b', 1), run('c', 1), run('d', 1), run('e', null), run('f', null)]
  await settle()
  await expect(run('g', 1)).rejects.toMatchObject({ code: 'too_many', status: 429 })
  queue.requireCapacity(2)
  queue.requireCapacity(null)
  await finishAll(results)
})

test('runs one large task at a time, and small ones beside it', async () => {
  const { started, run, finish, finishAll } = createQueue()
  const results = [run('a', 1, true), run('b', 2, true), run('c', 3), run('d', 4)]
  await settle()
  expect(started.join('')).toBe('ac')
  await finish()
  expect(started.join('')).toBe('acb')
  await finishAll(results)
  expect(started.join('')).toBe('acbd')
})
