import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './etag.ts'

type Encoding = 'br' | 'gzip'
type Variants = Partial<Record<Encoding, Buffer>>

const MIN_COMPRESSED_BYTES = 1000
const COMPRESSED_TYPES = new Set(['application/gzip', 'font/woff2'])
const OBJECT_OVERHEAD_BYTES = 1000

const compressors: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body, { level: 6 }),
}

/** Response body with its ETag. Compressed variants are made on first use and stored with it. */
export class CachedResponse {
  #body: Buffer
  readonly etag: string
  readonly contentType: string
  readonly status: number
  /** Milliseconds since 1970; undefined if the response has no `Last-Modified`. */
  lastModified: number | undefined
  readonly #encoded: Variants
  #routeHeaders: readonly string[] = []
  #headers: Partial<Record<Encoding | 'identity', readonly string[]>> = {}

  /** `tag` must differ whenever the body does; by default it is a hash of the body. `variants` were compressed before. */
  constructor(body: string | Buffer, contentType: string, status = 200, tag?: string, variants: Variants = {}) {
    this.#body = typeof body === 'string' ? Buffer.from(body) : body
    this.contentType = contentType
    this.status = status
    this.etag = `"${tag ?? hash('sha1', this.body, 'base64url')}"`
    this.#encoded = variants
  }

  get body(): Buffer {
    return this.#body
  }

  /** Estimated size in a cache, with room for the compressed variants (about a third of the body each). */
  get bytes(): number {
    return Math.ceil(this.body.length * 1.7) + OBJECT_OVERHEAD_BYTES
  }

  encoded(encoding: Encoding): Buffer {
    return (this.#encoded[encoding] ??= copyToOwnMemory(compressors[encoding](this.body)))
  }

  /** The headers of the route and of this response in an encoding, as names and values in turn; made on first use. */
  headers(routeHeaders: readonly string[], encoding: Encoding | undefined, length: number): readonly string[] {
    if (this.#routeHeaders !== routeHeaders) {
      this.#routeHeaders = routeHeaders
      this.#headers = {}
    }
    return (this.#headers[encoding ?? 'identity'] ??= [
      ...routeHeaders,
      ...validatorsOf(this),
      'content-type',
      this.contentType,
      'content-length',
      String(length),
      ...(encoding ? ['content-encoding', encoding] : []),
    ])
  }

  /** Copies the body out of any buffer it shares; call it before caching, or the whole buffer stays in memory. */
  detach(): void {
    this.#body = copyToOwnMemory(this.#body)
  }
}

function copyToOwnMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

const encodings = new Negotiator({ supportedValues: ['br', 'gzip'] })

export const selectEncoding = (header: string): Encoding | undefined =>
  encodings.negotiate(header.toLowerCase()) ?? undefined

interface Representation {
  status: number
  body?: Buffer
  encoding?: Encoding
}

/** Content negotiation: a 304 if the client's copy is current, else the body in an encoding the client accepts. */
export function selectRepresentation(response: CachedResponse, headers: IncomingHttpHeaders): Representation {
  const { status, body } = response
  if (status === 200 && isCurrent(response, headers)) return { status: 304 }
  const accepted = headers['accept-encoding']
  const isCompressible = body.length >= MIN_COMPRESSED_BYTES && !COMPRESSED_TYPES.has(response.contentType)
  const encoding = accepted && isCompressible ? selectEncoding(accepted) : undefined
  return encoding ? { status, body: response.encoded(encoding), encoding } : { status, body }
}

/** Whether the client's copy is current. The ETag decides if there is one: times have a resolution of a second (RFC 9110). */
function isCurrent({ etag, lastModified }: CachedResponse, headers: IncomingHttpHeaders): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesEtag(tags, etag)
  const since = headers['if-modified-since']
  return since !== undefined && lastModified !== undefined && Date.parse(since) >= lastModified - (lastModified % 1000)
}

export function validatorsOf({ etag, lastModified }: CachedResponse): string[] {
  const validators = ['etag', etag, 'vary', 'accept-encoding']
  if (lastModified !== undefined) validators.push('last-modified', new Date(lastModified).toUTCString())
  return validators
}

export function sendCachedResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
): FastifyReply {
  const { status, body, encoding } = selectRepresentation(response, request.headers)
  const validators = validatorsOf(response)
  for (let i = 0; i < validators.length; i += 2) reply.header(validators[i] ?? '', validators[i + 1])
  reply.code(status)
  if (!body) return reply.send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(response.contentType).send(body)
}
