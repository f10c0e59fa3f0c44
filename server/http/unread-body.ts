import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const MAX_MS = 15_000
const MAX_BYTES = 64 * 1024 * 1024
/** Each piece counts as at least this many bytes: a body in pieces of one byte costs far more to receive. */
const MIN_PIECE_BYTES = 2048
const MIN_CHUNK_BYTES = 65_536

/** Whether a request has a body that has not arrived completely. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  return hasBody && !request.complete && !request.readableEnded && !request.destroyed
}

/**
 * A response body that is sent at once and ends only when the rest of the request has arrived, which is discarded.
 * Closing the connection earlier would reset it, and clients that are still sending would lose the response. Past a limit
 * of bytes or time the connection is closed all the same. The response needs a content-length.
 */
export function respondWhileReceiving(request: IncomingMessage, text: string): Readable {
  async function* body() {
    yield text
    await discardBody(request)
  }
  return Readable.from(body(), { objectMode: false })
}

async function discardBody(request: IncomingMessage): Promise<void> {
  if (!hasUnreadBody(request)) return
  let left = MAX_BYTES
  const minBytes = request.headers['transfer-encoding'] === undefined ? MIN_PIECE_BYTES : MIN_CHUNK_BYTES
  request.unpipe()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_MS)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      left -= Math.max(chunk.length, minBytes)
      if (left < 0) stop()
    })
    for (const event of ['end', 'close', 'error']) request.on(event, stop)
    request.resume()
  })
  if (!request.readableEnded) request.destroy()
}
