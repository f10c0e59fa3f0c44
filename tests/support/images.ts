import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const solidImage = (width: number, height: number, background = '#8b5cf6') =>
  sharp({ create: { width, height, channels: 3, background } })

let serial = 0

/** Small PNG that differs from every other one of this run. */
export function uniquePng(): Promise<Buffer> {
  serial++
  const background = `#${serial.toString(16).padStart(6, '0')}`
  return solidImage(8, 8, background).png().toBuffer()
}

export function noiseImage(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
}

export async function animatedImage(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map((colour) => solidImage(8, 8, colour).png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** PNG of a few bytes whose header claims this size. */
export function decompressionBomb(width: number, height = width): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), data])
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32BE(data.length)
    numbers.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(1000))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

export const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
