import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import { AppError } from '#server/http/errors.ts'
import type { App } from '#server/http/server.ts'
import { imageTooLarge } from './given-image.ts'

const FIELD = 'file'
/** Beside the file. Forms send a few short ones, which nothing here reads. */
const LIMITS = { files: 1, fields: 50, parts: 51, fieldSize: 65_536, fieldNameSize: 200, headerPairs: 20 }
/** The file, the other fields and the lines between them. */
const MAX_BODY_BYTES = MAX_IMAGE_BYTES + 1_048_576

const notMultipart = () =>
  new AppError('unsupported_type', 415, `Send the image as multipart/form-data, in the field '${FIELD}'.`)
const malformed = (sentence = 'The request is not complete.') => new AppError('malformed_request', 400, sentence)
const noFile = () => malformed(`Send one image, in the field '${FIELD}'.`)

/** Lets the routes of this scope, and no others, take multipart bodies. Nothing is read before a route asks. */
export async function acceptUploads(scope: App): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { limits: { ...LIMITS, fileSize: MAX_IMAGE_BYTES } })
  // Anything else is refused by the route, after its guard.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
}

/** The bytes of the one file. Throws AppError `image_too_large`, `unsupported_type` or `malformed_request`. */
export async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw notMultipart()
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw imageTooLarge()
  try {
    return await readFile(request)
  } catch (error) {
    // What is still coming is thrown away, so that the answer arrives; the server's own time-out ends it.
    request.raw.unpipe()
    request.raw.resume()
    throw explain(error as Error & { code?: string })
  }
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  let file: Buffer | undefined
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    if (part.fieldname !== FIELD) throw noFile()
    file = await part.toBuffer()
  }
  if (!file) throw noFile()
  return file
}

/** The parser's errors have no common form: whatever it says is about the body. */
function explain(error: Error & { code?: string }): AppError {
  if (error instanceof AppError) return error
  if (error.code === 'FST_REQ_FILE_TOO_LARGE') return imageTooLarge()
  return error.code === 'FST_FILES_LIMIT' ? noFile() : malformed()
}
