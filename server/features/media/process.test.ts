import { expect, test } from 'vitest'
import { ImageProcessor } from './process.ts'

const settle = () => new Promise((resolve) => void setImmediate(resolve))
const image = { full: Buffer.of(), card: Buffer.of(), width: 1, height: 1 }

/** A processor whose tasks finish on demand, and the first bytes of the images whose processing has started. */
function createProcessor(concurrency: number, maxWaiting: number) {
  const started: number[] = []
  const finishers: (() => void)[] = []
  const processor = new ImageProcessor({
    concurrency,
    maxWaiting,
    encode: async (bytes) => {
      started.push(bytes[0] ?? 0)
      await new Promise<void>((resolve) => void finishers.push(resolve))
      if (bytes[0] === 1) throw new Error('broken')
      return image
    },
  })
  const process = (number: number) => processor.process(Buffer.of(number), 'png')
  return { processor, started, finishers, process }
}

test('processes a limited number of images at a time, in order of arrival, also after a failure', async () => {
  const { started, finishers, process } = createProcessor(2, 9)
  const results = Promise.allSettled([1, 2, 3, 4].map(process))
  await settle()
  expect(started).toEqual([1, 2])
  finishers.shift()?.()
  await settle()
  expect(started).toEqual([1, 2, 3])
  finishers.splice(0).forEach((finish) => finish())
  await settle()
  expect(started).toEqual([1, 2, 3, 4])
  finishers.splice(0).forEach((finish) => finish())
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  const last = process(5)
  await settle()
  finishers.shift()?.()
  expect(await last).toBe(image)
})

test('rejects images while the queue is full, and accepts images again after one has finished', async () => {
  const { processor, started, finishers, process } = createProcessor(1, 1)
  const results = [process(5), process(6)]
  await settle()
  await expect(process(7)).rejects.toMatchObject({ code: 'busy', status: 503 })
  expect(() => processor.requireCapacity()).toThrow(expect.objectContaining({ code: 'busy' }))
  finishers.shift()?.()
  await settle()
  processor.requireCapacity()
  results.push(process(8))
  for (let remaining = 2; remaining > 0; remaining--) {
    finishers.shift()?.()
    await settle()
  }
  await Promise.all(results)
  expect(started).toEqual([5, 6, 8])
})
