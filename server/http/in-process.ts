import type { FastifyRequest } from 'fastify'
import type { App } from './server.ts'

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

/** The page's own way to the API: the same routes, guards and answers, without a socket. */
export function sendInProcess(app: App) {
  return async ({ method, url, headers, body }: PageRequest): Promise<PageResponse> => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress: IN_PROCESS,
      ...(headers ? { headers } : {}),
      ...(typeof body === 'string' ? { payload: body } : {}),
    })
    return { status: answer.statusCode, statusText: answer.statusMessage, text: answer.payload }
  }
}

/** Whether a call comes from a page being rendered and not from a visitor. */
export function isInProcess(request: FastifyRequest): boolean {
  return request.socket.remoteAddress === IN_PROCESS
}
