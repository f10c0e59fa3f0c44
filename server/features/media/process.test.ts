import { describe, expect, test } from 'vitest'
import { decompressionBomb, solidImage } from '#tests/support/images.ts'
import { ImageProcessor } from './process.ts'

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
