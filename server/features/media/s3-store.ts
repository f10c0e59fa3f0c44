import { S3mini, S3ServiceError } from 's3mini'
import type { MediaS3Config } from '#server/config.ts'
import { type MediaStore, mediaAway } from './store.ts'

/** For each of two tries. Images are a few hundred kilobytes at most. */
const TIMEOUT_MS = 4000
/** Lets other things live in the same bucket. */
const FOLDER = 'media/'
const PAGE = 1000

/** Media in storage that speaks S3. The bucket has to exist and may be private. */
export function openS3Store({ endpoint, bucket, ...access }: MediaS3Config, { page = PAGE } = {}): MediaStore {
  const s3 = new S3mini({ ...access, endpoint: `${endpoint}/${bucket}`, requestAbortTimeout: TIMEOUT_MS })
  return {
    async put(name, bytes) {
      await twice(() => s3.putObject(FOLDER + name, bytes, 'image/webp'))
    },
    async get(name) {
      const bytes = await twice(() => s3.getObjectArrayBuffer(FOLDER + name))
      return bytes ? Buffer.from(bytes) : undefined
    },
    async has(name) {
      return (await twice(() => s3.objectExists(FOLDER + name))) === true
    },
    async remove(name) {
      await twice(() => s3.deleteObject(FOLDER + name).catch(passMissing))
    },
    async *list() {
      let next: string | undefined
      do {
        const token = next
        const found = await twice(() => s3.listObjectsPaged('/', FOLDER, page, token))
        if (!found) throw mediaAway(new Error(`There is no bucket ${bucket}.`))
        yield (found.objects ?? []).map(({ Key, LastModified }) => ({
          name: Key.slice(FOLDER.length),
          changedAt: LastModified,
        }))
        next = found.nextContinuationToken
      } while (next !== undefined)
    },
  }
}

/** What is refused, like a wrong key, would be refused again. Everything here may be done twice. */
const mayPass = (error: unknown) =>
  !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429 || error.status === 408

async function twice<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (first) {
    if (!mayPass(first)) throw mediaAway(first)
  }
  return send().catch((error: unknown) => {
    throw mediaAway(error)
  })
}

/** Some servers refuse to remove what is not there. */
function passMissing(error: unknown): void {
  if (!(error instanceof S3ServiceError) || error.status !== 404) throw error
}
