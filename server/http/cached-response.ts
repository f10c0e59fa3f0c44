import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

type Encoding = 'br' | 'gzip'

const MIN_COMPRESSED_BYTES = 1000
const OBJECT_OVERHEAD_BYTES = 600

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
  readonly #encoded: Partial<Record<Encoding, Buffer>> = {}

  /** `tag` must differ whenever the body does; by default it is a hash of the body. */
  constructor(body: string | Buffer, contentType: string, status = 200, tag?: string) {
    this.#body = typeof body === 'string' ? Buffer.from(body) : body
    this.contentType = contentType
    this.status = status
    this.etag = `"${tag ?? hash('sha1', this.body, 'base64url')}"`
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

// Browsers send few different values, so almost every request finds its header parsed.
const encodings = new Negotiator({ supportedValues: ['br', 'gzip'], cache: new LRUCache({ max: 100 }) })

/** The encoding to use for a client that sent this `Accept-Encoding` header; undefined for none. */
export const selectEncoding = (header: string): Encoding | undefined => encodings.negotiate(header) ?? undefined

interface Representation {
  status: number
  /** Undefined for a 304. */
  body?: Buffer
  encoding?: Encoding
}

/** Content negotiation: a 304 if the client's copy is current, else the body in an encoding the client accepts. */
export function selectRepresentation(response: CachedResponse, headers: IncomingHttpHeaders): Representation {
  const { status, body, etag } = response
  if (status === 200 && headers['if-none-match']?.includes(etag)) return { status: 304 }
  const accepted = headers['accept-encoding']
  const encoding = accepted && body.length >= MIN_COMPRESSED_BYTES ? selectEncoding(accepted) : undefined
  return encoding ? { status, body: response.encoded(encoding), encoding } : { status, body }
}

export function sendCachedResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
): FastifyReply {
  const { status, body, encoding } = selectRepresentation(response, request.headers)
  reply.header('etag', response.etag)
  reply.header('vary', 'accept-encoding')
  reply.code(status)
  if (!body) return reply.send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(response.contentType).send(body)
}
