import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'

const COMPRESS_FROM_BYTES = 1000

const compressors: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body, { level: 6 }),
}

/** An answer as finished bytes with its tag; compressed forms are made when first asked for and kept. */
export class Finished {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
  readonly status: number
  readonly #encoded = new Map<Encoding, Buffer>()

  /** `identity` is what differs whenever the body does, where there is something shorter than the body itself. */
  constructor(body: string | Buffer, contentType: string, status = 200, identity?: Buffer) {
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.contentType = contentType
    this.status = status
    this.etag = `"${hash('sha1', identity ?? this.body, 'base64url')}"`
  }

  /** Room for the compressed forms too: they come to about a third each. */
  get bytes(): number {
    return Math.ceil(this.body.length * 1.7)
  }

  encoded(encoding: Encoding): Buffer {
    let bytes = this.#encoded.get(encoding)
    if (!bytes) {
      bytes = compressors[encoding](this.body)
      this.#encoded.set(encoding, bytes)
    }
    return bytes
  }
}

/** Whether the client takes this encoding: named, and not with weight 0. */
export function accepts(header: string, encoding: string): boolean {
  if (!header.includes(encoding)) return false
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}

/** Sends finished bytes: 304 when the client has them, else compressed as it likes. */
export function sendFinished(request: FastifyRequest, reply: FastifyReply, finished: Finished): FastifyReply {
  reply.header('etag', finished.etag)
  reply.header('vary', 'accept-encoding')
  const known = request.headers['if-none-match']
  if (known && finished.status === 200 && known.includes(finished.etag)) return reply.code(304).send()
  reply.code(finished.status).type(finished.contentType)
  const accepted = request.headers['accept-encoding']
  if (accepted && finished.body.length >= COMPRESS_FROM_BYTES) {
    for (const encoding of ['br', 'gzip'] as const) {
      if (!accepts(accepted, encoding)) continue
      return reply.header('content-encoding', encoding).send(finished.encoded(encoding))
    }
  }
  return reply.send(finished.body)
}
