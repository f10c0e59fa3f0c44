import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '#contract/operation.ts'
import { destroyLater } from './unread-body.ts'

// Node answers these requests itself, or passes them on although HTTP forbids them. They get the site's form of errors.

interface Rejection extends Problem {
  status: number
}

const MALFORMED: Rejection = { status: 400, code: 'malformed_request', error: 'The request is not valid HTTP.' }
const BAD_TARGET: Rejection = { status: 400, code: 'bad_address', error: 'This URL is malformed.' }
const BAD_HOST: Rejection = { status: 400, code: 'bad_host', error: 'Send exactly one Host header.' }
const EXPECTATION: Rejection = { status: 417, code: 'expectation_failed', error: 'Send the request without Expect.' }

const CLIENT_ERRORS: Record<string, Rejection> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout', error: 'The request took too long. Please try again.' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', error: 'The headers of the request are too large.' },
  HPE_INVALID_URL: {
    status: 400,
    code: 'bad_address',
    error: 'The URL has characters that must be percent-encoded, such as spaces and letters outside of ASCII.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'too_large', error: 'The request is too large.' },
}

const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** The path and query of a request target: of `/path`, or of a whole URL. Undefined for anything else, such as `*`. */
export function readTarget(target: string): string | undefined {
  if (target.startsWith('/')) return target
  const origin = ABSOLUTE.exec(target)?.[0]
  if (origin === undefined) return undefined
  const rest = target.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Passes on requests with a path as their target and one Host header, and rejects others. */
export function rejectMalformed(next: RequestListener, headers: Readonly<Record<string, string>>): RequestListener {
  return (request, response) => {
    const url = readTarget(request.url ?? '/')
    if (url === undefined) return send(response, BAD_TARGET, headers)
    if (!hasValidHost(request)) return send(response, BAD_HOST, headers)
    request.url = url
    next(request, response)
  }
}

/** HTTP/1.1 requires one Host header; more than one lets proxies and servers disagree about the site. */
function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 1 || (count === 0 && httpVersion === '1.0')
}

export const rejectExpectation =
  (headers: Readonly<Record<string, string>>): RequestListener =>
  (_request, response) =>
    send(response, EXPECTATION, headers)

function send(response: ServerResponse, rejection: Rejection, headers: Readonly<Record<string, string>>): void {
  const { status, fields, body } = format(rejection, headers)
  response.writeHead(status, fields).end(body)
}

export function handleClientError(headers: Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (socket.destroyed || socket.writableEnded) return
    // A response has begun already, or nobody is left to read one.
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunResponse(socket)) {
      socket.destroy()
      return
    }
    const { status, fields, body } = format(CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED, headers)
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    destroyLater(socket)
  }
}

/** Decides it as Node's own handler does. */
function hasBegunResponse(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  // oxlint-disable-next-line no-underscore-dangle
  return socket._httpMessage?.headersSent ?? false
}

function format({ status, ...problem }: Rejection, headers: Readonly<Record<string, string>>) {
  const body = JSON.stringify(problem)
  const fields = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }
  return { status, fields, body }
}
