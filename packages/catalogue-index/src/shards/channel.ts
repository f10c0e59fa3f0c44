import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

const LENGTH_BYTES = 4

/** Encodes a message once for any number of channels: its length (32 bits, little-endian), then its structured clone. */
export function encodeMessage(message: unknown): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length)
  frame.writeUInt32LE(body.length)
  body.copy(frame, LENGTH_BYTES)
  return frame
}

/** Messages over a pipe, in order. `node:child_process` has such a channel too, but encodes a message for each receiver. */
export class Channel {
  readonly #socket: Socket
  readonly #onMessage: (message: unknown) => void
  #chunks: Buffer[] = []
  #received = 0
  #needed = LENGTH_BYTES

  /** `onClose` is called once, when either side closes the connection. */
  constructor(socket: Socket, onMessage: (message: unknown) => void, onClose: () => void = () => {}) {
    this.#socket = socket
    this.#onMessage = onMessage
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    // A broken pipe closes the socket too.
    socket.on('error', () => {})
    socket.on('close', onClose)
  }

  send(frame: Buffer): void {
    this.#socket.write(frame)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#received += chunk.length
    if (this.#received < this.#needed) return
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    let offset = 0
    this.#needed = LENGTH_BYTES
    while (bytes.length - offset >= LENGTH_BYTES) {
      const end = offset + LENGTH_BYTES + bytes.readUInt32LE(offset)
      this.#needed = end - offset
      if (end > bytes.length) break
      this.#onMessage(deserialize(bytes.subarray(offset + LENGTH_BYTES, end)))
      offset = end
      this.#needed = LENGTH_BYTES
    }
    this.#received = bytes.length - offset
    this.#chunks = this.#received === 0 ? [] : [bytes.subarray(offset)]
  }
}
