import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

const MAX_MS = 15_000
const MAX_BYTES = 64 * 1024 * 1024
/** Each piece counts as at least this many bytes: a body in pieces of one byte costs far more to receive. */
const MIN_PIECE_BYTES = 2048

type Headers = Pick<IncomingMessage, 'headers'>

/** Whether the body of a request comes without a length, in chunks, each of which can be one byte long. */
export const isChunked = ({ headers }: Headers): boolean => headers['transfer-encoding'] !== undefined

export const announcesBody = (request: Headers): boolean =>
  isChunked(request) || (request.headers['content-length'] ?? '0') !== '0'

export function hasUnreadBody(request: IncomingMessage): boolean {
  return (
    announcesBody(request) && !isChunked(request) && !request.complete && !request.readableEnded && !request.destroyed
  )
}

/** No operation accepts chunks, and Node parses up to 2 MB in one turn: half a second if each chunk has one byte. */
export function leaveChunksUnread(next: RequestListener): RequestListener {
  return (request, response) => {
    if (isChunked(request)) {
      const { socket } = request
      socket.pause()
      response.shouldKeepAlive = false
      // Called by Node after the response.
      socket.destroySoon = () => {
        socket.end()
        // Node resumes the socket in order to discard the body.
        setImmediate(() => socket.pause())
        destroyLater(socket)
      }
    }
    next(request, response)
  }
}

const LINGER_MS = 1000

/** Destroying at once resets the connection while the client is still sending, and the client would lose the response. */
export function destroyLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * The response needs a content-length. It ends when the rest of the request has arrived: closing earlier would reset the
 * connection, and clients would lose the response. Past a limit of bytes or time it is closed all the same.
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
  request.unpipe()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_MS)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      left -= Math.max(chunk.length, MIN_PIECE_BYTES)
      if (left < 0) stop()
    })
    for (const event of ['end', 'close', 'error']) request.on(event, stop)
    request.resume()
  })
  if (!request.readableEnded) request.destroy()
}
