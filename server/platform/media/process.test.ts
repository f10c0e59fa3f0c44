import { describe, expect, test, vi } from 'vitest'
import { decompressionBomb, solidImage } from '#tests/support/images.ts'
import { ImageProcessor, loadSharp } from './process.ts'

const processor = new ImageProcessor({ concurrency: 1 })

describe('an image that is too large', () => {
  const limits = (kind: string, megapixels: number) =>
    `This image is too large. Use ${kind} with at most 12,000 pixels on each side and ${megapixels} megapixels.`

  test.each([
    ['many pixels', [5001, 5000]],
    ['very long columns', [1, 25_000_000]],
    ['long rows', [12_001, 1]],
  ] as const)('with %s is rejected by its header', async (_name, [width, height]) => {
    await expect(processor.process(decompressionBomb(width, height), 'png', 1)).rejects.toMatchObject({
      code: 'bad_image',
      status: 400,
      message: limits('an image', 25),
    })
  })

  test('is an AVIF of more than 12 megapixels', async () => {
    const bytes = await solidImage(4001, 3000).avif({ effort: 0, quality: 1 }).toBuffer()
    await expect(processor.process(bytes, 'heif', 1)).rejects.toMatchObject({ message: limits('an AVIF', 12) })
  })
})

test('of an animation that begins with empty frames, the first visible one is shown', async () => {
  const frame = (alpha: number) => solidImage(8, 8).ensureAlpha(alpha).raw().toBuffer({ resolveWithObject: true })
  const frames = await Promise.all([0, 0, 1].map(frame))
  const sharp = await loadSharp()
  const joined = sharp(Buffer.concat(frames.map(({ data }) => data)), {
    raw: { width: 8, height: 24, channels: 4, pageHeight: 8 },
  })
  const { full } = await processor.process(await joined.gif({ loop: 0, delay: [50, 50, 50] }).toBuffer(), 'gif', 1)
  expect((await sharp(full).stats()).isOpaque).toBe(true)
})

test('of a JPEG that is cut off, the part that is there is shown', async () => {
  const bytes = await solidImage(400, 400).jpeg().toBuffer()
  const { width } = await processor.process(bytes.subarray(0, Math.floor(bytes.length * 0.8)), 'jpeg', 1)
  expect(width).toBe(400)
})

test('limits the time of an image', async () => {
  const sharp = await loadSharp()
  const timeout = vi.spyOn(sharp.prototype, 'timeout')
  await processor.process(await solidImage(64, 64).png().toBuffer(), 'png', 1)
  expect(timeout.mock.calls).toEqual([[{ seconds: 20 }]])
  timeout.mockRestore()
})
