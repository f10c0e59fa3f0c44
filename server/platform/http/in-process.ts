import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

const IN_PROCESS = 'in-process'

export interface PageRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | FormData
}

export interface PageResponse {
  status: number
  statusText: string
  text: string
}

/** Sends API requests of a page that is being rendered: the same routes and guards, without a socket. */
export function sendInProcess(app: App) {
  return async ({ method, url, headers, body }: PageRequest): Promise<PageResponse> => {
    const response = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress: IN_PROCESS,
      ...(headers ? { headers } : {}),
      ...(typeof body === 'string' ? { payload: body } : {}),
    })
    return { status: response.statusCode, statusText: response.statusMessage, text: response.payload }
  }
}

export function isInProcess(request: FastifyRequest): boolean {
  return request.socket.remoteAddress === IN_PROCESS
}
