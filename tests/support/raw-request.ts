import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends bytes as they are and resolves with the first response, as soon as it is complete. The connection stays open. */
export function sendRaw(origin: string, bytes: string | Buffer): { socket: Socket; response: Promise<RawResponse> } {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  const response = new Promise<RawResponse>((resolve, reject) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const parsed = parseResponse(text)
      if (parsed) resolve(parsed)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The connection was closed after ${JSON.stringify(text)}.`)))
  })
  socket.write(bytes)
  return { socket, response }
}

/** Sends bytes, reads the first response and closes the connection. */
export async function exchangeRaw(origin: string, bytes: string | Buffer): Promise<RawResponse> {
  const { socket, response } = sendRaw(origin, bytes)
  try {
    return await response
  } finally {
    socket.destroy()
  }
}

/** Sends bytes over and over until the server closes the connection. Resolves with the number of bytes sent. */
export async function sendUntilClosed(socket: Socket, bytes: Buffer): Promise<number> {
  socket.on('error', () => undefined)
  while (!socket.destroyed) {
    if (socket.writableLength < bytes.length) socket.write(bytes)
    await setImmediate()
  }
  return socket.bytesWritten
}

function parseResponse(text: string): RawResponse | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined
  return { status: Number(first.split(' ')[1]), headers, body }
}
