import type { IncomingMessage, RequestListener } from 'node:http'
import { Readable } from 'node:stream'

const MAX_MS = 15_000
const MAX_BYTES = 64 * 1024 * 1024
/** Each piece counts as at least this many bytes: a body in pieces of one byte costs far more to receive. */
const MIN_PIECE_BYTES = 2048
const MIN_CHUNK_BYTES = 65_536

type Headers = Pick<IncomingMessage, 'headers'>

/** Whether the body of a request comes without a length, in chunks, each of which can be one byte long. */
export const isChunked = ({ headers }: Headers): boolean => headers['transfer-encoding'] !== undefined

/** Whether the headers of a request announce a body. */
export const announcesBody = (request: Headers): boolean =>
  isChunked(request) || (request.headers['content-length'] ?? '0') !== '0'

/** Whether a request has a body that has not arrived completely. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return announcesBody(request) && !request.complete && !request.readableEnded && !request.destroyed
}

/**
 * Receives a body in chunks only while something reads it, and closes the connection after the response if nothing has.
 * Otherwise Node parses up to 2 MB of it in one turn of the event loop, before the guard has answered or after the response:
 * half a second if each chunk has one byte.
 */
export function receiveChunksOnDemand(next: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    if (isChunked(request)) {
      socket.pause()
      // What arrived together with the headers is parsed by then.
      let isParsed = false
      setImmediate(() => (isParsed = true))
      const endBody = () => (request.complete ? socket.resume() : socket.destroy())
      response.once('finish', () => (isParsed ? endBody() : setImmediate(endBody)))
    }
    next(request, response)
  }
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
  const minBytes = isChunked(request) ? MIN_CHUNK_BYTES : MIN_PIECE_BYTES
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
