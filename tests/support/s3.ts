import crypto, { type BinaryLike, type CipherKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { MediaS3Config } from '#server/config.ts'

/** It makes the tokens of its pages with DES, which OpenSSL gave up; what they are made of is nobody's concern. */
const withoutDes =
  <T>(make: (name: string, key: CipherKey, iv: BinaryLike) => T) =>
  (name: string, key: Buffer, iv: Buffer): T =>
    name === 'des' ? make('aes-128-cbc', Buffer.concat([key, key]), Buffer.concat([iv, iv])) : make(name, key, iv)
Object.assign(crypto, {
  createCipheriv: withoutDes(crypto.createCipheriv),
  createDecipheriv: withoutDes(crypto.createDecipheriv),
})

export interface TestS3 {
  settings: MediaS3Config
  /** Where the objects of the bucket are on disk. */
  folder: string
  close(): Promise<void>
}

/** A server of its own that speaks S3 over HTTP and checks signatures, with one empty bucket. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(path.join(tmpdir(), 'scriptyard-s3-'))
  const bucket = 'images'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  keepLastSlash(server, bucket)
  const { port } = await server.run()
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'eu-central-1',
      // The only pair that this server knows.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    folder: path.join(directory, bucket),
    close: async () => {
      server.httpServer.closeAllConnections()
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/**
 * Signatures are over the address as it was sent, and lists are sent to `/bucket/`. This server forgets that slash; it
 * only knows it where a bucket has a host of its own.
 */
function keepLastSlash(server: S3rver, bucket: string): void {
  server.middleware.unshift((context, next) => {
    if (context.path === `/${bucket}/`) {
      context.mountPath = '/'
      Object.defineProperty(context.state, 'vhost', { get: () => true, set: () => {} })
    }
    return next()
  })
}
