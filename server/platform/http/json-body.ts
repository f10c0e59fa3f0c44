import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { BodyBudget, BodyLease } from './body-budget.ts'
import { AppError } from './errors.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import { JsonBounds } from './json-bounds.ts'
import { networkOf } from './rate-limits.ts'
import type { App } from './app.ts'
import { quoteLongIntegers } from './tolerant-body.ts'
import { announcesBody, isChunked } from './unread-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the route's guard returned; undefined before it has run. */
    caller: { id: number } | undefined
    /** The share of this request's body in the budget; undefined until the body is read. */
    bodyLease: BodyLease | undefined
  }
  interface FastifyInstance {
    bodyBudget: BodyBudget
  }
}

/** Bodies without a length come in chunks, which can be one byte long: receiving those costs a hundred times as much. */
export const lengthRequired = () =>
  new AppError('length_required', 411, 'Send the request with its length, not in chunks.')
const tooLarge = () => new AppError('too_large', 413, 'The request is too large.')
const tooComplex = () => new AppError('too_complex', 400, 'The request has too many values or is nested too deeply.')
const notUtf8 = () => new AppError('malformed_json', 400, 'The request is not valid JSON: send it as UTF-8.')
const incomplete = (cause: unknown) => new AppError('malformed_request', 400, 'The request is incomplete.', { cause })

/** Bodies of more bytes are parsed one per turn of the event loop. */
const LARGE_BYTES = 65_536

/** Stops as soon as a body is too large or complex. Its bytes count in the budget until the handler is done. */
export function addJsonParser(app: App, budget: BodyBudget): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const turns = new Turns()
  app.decorate('bodyBudget', budget)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('bodyLease', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    // Also for requests whose client goes away and whose handler is never reached.
    if (announcesBody(request)) reply.raw.once('close', () => request.bodyLease?.release())
    done()
  })
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    // Nothing reads the body of a request to an unknown URL.
    if (request.is404) return undefined
    const bytes = await receiveBody(request, payload, new JsonBounds())
    // Clients may set the content type on every call, so a DELETE with an empty JSON body is accepted.
    if (bytes.length === 0 && request.method === 'DELETE') return undefined
    if (bytes.length > LARGE_BYTES) await turns.next()
    if (!isUtf8(bytes)) throw notUtf8()
    const { tolerant } = request.routeOptions.config.operation ?? {}
    const json = tolerant ? quoteLongIntegers(bytes.toString()) : bytes.toString()
    return new Promise((resolve, reject) => {
      void parse(request, json, (error, body) => (error ? reject(error) : resolve(body)))
    })
  })
}

/** Starts to count the body of a request. The server calls `release`; routes may do so earlier. */
export function leaseBody(request: FastifyRequest): BodyLease {
  const owner = request.caller ? `member ${request.caller.id}` : networkOf(request.ip)
  return (request.bodyLease = request.server.bodyBudget.open(owner))
}

/** Throws AppError `length_required`, `too_large`, `too_complex`, `malformed_request`, and what `BodyLease.add` throws. */
export async function receiveBody(
  request: FastifyRequest,
  payload: Readable,
  bounds?: Pick<JsonBounds, 'admit'>,
): Promise<Buffer> {
  const lease = leaseBody(request)
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'] ?? 0)
  if (isChunked(request)) throw lengthRequired()
  if (announced > limit) throw tooLarge()
  const body = new GrowingBuffer(announced)
  const chunks = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of chunks) {
      if (body.length + chunk.length > limit) throw tooLarge()
      if (bounds && !bounds.admit(chunk)) throw tooComplex()
      await lease.add(chunk.length)
      body.append(chunk)
    }
  } catch (error) {
    lease.release()
    throw error instanceof AppError ? error : incomplete(error)
  }
  return body.bytes
}

/** Gives out turns of the event loop, so that other requests are handled between two pieces of long work. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  next(): Promise<unknown> {
    return (this.#last = this.#last.then(() => setImmediate()))
  }
}
