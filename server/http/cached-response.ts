import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'

const COMPRESS_FROM_BYTES = 1000
const OBJECTS_BYTES = 600

const compressors: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body, { level: 6 }),
}

/** An answer as finished bytes with its tag; compressed forms are made when first asked for and kept. */
export class CachedResponse {
  #body: Buffer
  readonly etag: string
  readonly contentType: string
  readonly status: number
  readonly #encoded: Partial<Record<Encoding, Buffer>> = {}

  /** `tag` differs whenever the body does; without one it is made of the body. */
  constructor(body: string | Buffer, contentType: string, status = 200, tag?: string) {
    this.#body = typeof body === 'string' ? Buffer.from(body) : body
    this.contentType = contentType
    this.status = status
    this.etag = `"${tag ?? hash('sha1', this.body, 'base64url')}"`
  }

  get body(): Buffer {
    return this.#body
  }

  /** Room for the compressed forms too, which come to about a third each, and for the objects. */
  get bytes(): number {
    return Math.ceil(this.body.length * 1.7) + OBJECTS_BYTES
  }

  encoded(encoding: Encoding): Buffer {
    return (this.#encoded[encoding] ??= copyToOwnMemory(compressors[encoding](this.body)))
  }

  /** For keeping: its bytes share their memory with nothing else. */
  detach(): void {
    this.#body = copyToOwnMemory(this.#body)
  }
}

/** The same bytes in memory of their own: a part of a larger piece would keep all of it. */
function copyToOwnMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

/** Whether the client takes this encoding: named, and not with weight 0. */
export function accepts(header: string, encoding: string): boolean {
  if (!header.includes(encoding)) return false
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}

export interface Representation {
  status: number
  /** Nothing when the client has it already. */
  body?: Buffer
  encoding?: Encoding
}

/** What goes out to who sent these headers: 304 when they have it, else the bytes compressed as they like. */
export function selectRepresentation(finished: CachedResponse, headers: IncomingHttpHeaders): Representation {
  const { status, body, etag } = finished
  const known = headers['if-none-match']
  if (known && status === 200 && known.includes(etag)) return { status: 304 }
  const accepted = headers['accept-encoding']
  if (accepted && body.length >= COMPRESS_FROM_BYTES) {
    for (const encoding of ['br', 'gzip'] as const) {
      if (accepts(accepted, encoding)) return { status, body: finished.encoded(encoding), encoding }
    }
  }
  return { status, body }
}

/** Sends finished bytes. */
export function sendCachedResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  finished: CachedResponse,
): FastifyReply {
  const { status, body, encoding } = selectRepresentation(finished, request.headers)
  reply.header('etag', finished.etag)
  reply.header('vary', 'accept-encoding')
  reply.code(status)
  if (!body) return reply.send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(finished.contentType).send(body)
}
