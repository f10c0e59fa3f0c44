import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { matchesEtag } from '#server/platform/http/etag.ts'
import { GrowingBuffer } from '#server/platform/http/growing-buffer.ts'
import { leaseBody, lengthRequired } from '#server/platform/http/json-body.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { isChunked } from '#server/platform/http/unread-body.ts'
import { mediaPath, type MediaStore, readHash } from './store.ts'
import { imageTooLarge, type MediaLibrary, storeImage } from './upload.ts'

interface MediaRoutesOptions {
  db: Database
  media: MediaLibrary
}

export function registerMedia(app: App, { db, media }: MediaRoutesOptions): void {
  serveFiles(app, media.store)
  app.register(async (scope) => {
    await acceptUploads(scope)
    serve(scope, 'POST /api/media', async ({ caller, request, reply }) => {
      media.processor.requireCapacity(caller.id)
      const hash = await storeImage(db, media, await readUpload(request), caller.id)
      reply.code(201)
      return { url: mediaPath(hash, 'full'), url_card: mediaPath(hash, 'card') }
    })
  })
}

/** Files never change, so browsers and proxies cache them permanently; the server doesn't. */
function serveFiles(app: App, store: MediaStore): void {
  app.get<{ Params: { name: string } }>('/media/:name', { config: { limit: 'none' } }, async (request, reply) => {
    const { name } = request.params
    const isName = readHash(name) !== undefined
    const etag = `"${name}"`
    const known = request.headers['if-none-match']
    const isCurrent = isName && matchesEtag(known, etag)
    // A client with the tag has received the file; `*` asks whether there is one.
    const needsFile = isName && (!isCurrent || known?.trim() === '*')
    const bytes = needsFile ? await store.get(name) : undefined
    reply.header('content-security-policy', "default-src 'none'; sandbox")
    if (!isName || (needsFile && !bytes)) {
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('No such image.\n')
    }
    reply.header('etag', etag).header('cache-control', 'public, max-age=31536000, immutable')
    if (isCurrent) return reply.code(304).send()
    return reply.type('image/webp').send(bytes)
  })
}

const FIELD = 'file'
/** Values of `Content-Transfer-Encoding` that leave the bytes as they are. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])
/** Other fields are accepted, since forms may send some, but not read. */
const LIMITS = { files: 1, fields: 50, parts: 51, fieldSize: 65_536, fieldNameSize: 200, headerPairs: 20 }
/** The file, the other fields and the multipart boundaries. */
const MAX_BODY_BYTES = MAX_IMAGE_BYTES + 1_048_576

const notMultipart = () =>
  new AppError('unsupported_type', 415, `Send the image as multipart/form-data, in the field '${FIELD}'.`)
const notBinary = () =>
  new AppError('unsupported_encoding', 415, 'Send the image as it is, without encoding it as text.')
const malformed = (message = 'The request is not complete.') => new AppError('malformed_request', 400, message)
const noFile = () => malformed(`Send one image, in the field '${FIELD}'.`)

/** Lets the routes of this scope accept multipart bodies, which are read on demand. */
async function acceptUploads(scope: App): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { limits: { ...LIMITS, fileSize: MAX_IMAGE_BYTES } })
  // Other content types get as far as the route, which rejects them after its guard.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
}

/** Throws AppError `image_too_large`, `unsupported_type`, `malformed_request`, and what `BodyLease.add` throws. */
async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw notMultipart()
  if (isChunked(request)) throw lengthRequired()
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw imageTooLarge()
  try {
    return await readFile(request)
  } catch (error) {
    // The rest of the body is discarded: clients read the response only after they have sent it all.
    request.raw.unpipe()
    request.raw.resume()
    throw toAppError(error as Error & { code?: string })
  }
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  let file: Buffer | undefined
  const lease = leaseBody(request)
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    if (part.fieldname !== FIELD) throw noFile()
    if (!PLAIN_ENCODINGS.has(part.encoding.toLowerCase())) throw notBinary()
    const bytes = new GrowingBuffer()
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      await lease.add(chunk.length)
      bytes.append(chunk)
    }
    if (part.file.truncated) throw imageTooLarge()
    file = bytes.bytes
  }
  if (!file) throw noFile()
  return file
}

/** The parser's errors have no common class; all of them are about the body. */
function toAppError(error: Error & { code?: string }): AppError {
  if (error instanceof AppError) return error
  if (error.code === 'FST_REQ_FILE_TOO_LARGE') return imageTooLarge()
  return error.code === 'FST_FILES_LIMIT' ? noFile() : malformed()
}
