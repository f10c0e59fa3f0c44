import type { BodyOf, OperationName, QueryOf, ResultOf } from '#contract/operations.ts'
import { ApiError, stringIn } from './api-error.ts'

export interface ApiRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | FormData
  signal?: AbortSignal
}

export interface ApiResponse {
  status: number
  statusText: string
  text: string
}

/** Sends a request: over HTTP in the browser, in process on the server. Rejects if there is no response. */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>

export interface RequestOptions {
  query?: Record<string, unknown> | undefined
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

type RequiredOption<T, Name extends string> = [T] extends [undefined] ? unknown : { [N in Name]: T }
type QueryOption<T> = T extends undefined ? unknown : { query?: Partial<T> | undefined }
export type CallOptions<K extends OperationName> = QueryOption<QueryOf<K>> &
  RequiredOption<BodyOf<K>, 'body'> & { signal?: AbortSignal; headers?: Record<string, string> }

type Arguments<K extends OperationName> =
  {} extends CallOptions<K> ? [options?: CallOptions<K>] : [options: CallOptions<K>]

/** The API client. Rejects with `ApiError`, whose message can be shown to users, or with `AbortError`. */
export interface Api {
  /** Calls an operation of the contract. */
  <K extends OperationName>(name: K, ...options: Arguments<K>): Promise<ResultOf<K>>
  /** Sends any request below /api. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T>
  /** Posts a file as multipart form data. Extra fields that are objects are sent as JSON. */
  upload<T = unknown>(path: string, file: Blob, extra?: Record<string, unknown>): Promise<T>
}

const BASE = '/api'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function urlOf(path: string, query: RequestOptions['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, textOf(value))
  }
  return parameters.size > 0 ? `${BASE}${path}?${parameters}` : `${BASE}${path}`
}

const TAGS_AS_TEXT = /"tags":\s*"/

/** Parses lists of tags that are encoded twice, as JSON in a string. */
const readTags = (name: string, value: unknown): unknown =>
  name === 'tags' && typeof value === 'string' ? JSON.parse(value || '[]') : value

function parse(text: string): { body: unknown; isJson: boolean } {
  try {
    const body = text && JSON.parse(text, TAGS_AS_TEXT.test(text) ? readTags : undefined)
    return { body: text ? body : undefined, isJson: text !== '' }
  } catch {
    return { body: text, isJson: false }
  }
}

/** For requests without a response: offline, or the site is down. */
const UNREACHABLE = "The site can't be reached. Check your connection and try again."

type Fallback = (response: ApiResponse, isJson: boolean) => string

const describeStatus: Fallback = ({ status, statusText }, isJson) =>
  isJson || !statusText ? `HTTP ${status}` : `HTTP ${status}: ${statusText}`
const describeUpload: Fallback = ({ statusText }) => `Upload failed: ${statusText}`

async function sendRequest<T>(send: Transport, request: ApiRequest, fallback: Fallback): Promise<T> {
  const response = await send(request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, UNREACHABLE)
  })
  const { body, isJson } = parse(response.text)
  if (response.status >= 200 && response.status < 300) return body as T
  throw new ApiError(response.status, stringIn(body, 'error') ?? fallback(response, isJson), body)
}

function formOf(file: Blob, extra: Record<string, unknown>): FormData {
  const form = new FormData()
  form.set('file', file)
  for (const [name, value] of Object.entries(extra)) {
    form.set(name, textOf(value))
  }
  return form
}

export function createClient(send: Transport): Api {
  const request = <T>(method: string, path: string, { query, body, headers, signal }: RequestOptions = {}) =>
    sendRequest<T>(
      send,
      {
        method,
        url: urlOf(path, query),
        ...(signal ? { signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      },
      describeStatus,
    )
  const call = <K extends OperationName>(name: K, ...[options]: Arguments<K>) => {
    const [method = '', path = ''] = name.split(' ')
    return request<ResultOf<K>>(method, path.slice(BASE.length), options)
  }
  const upload = <T>(path: string, file: Blob, extra: Record<string, unknown> = {}) =>
    sendRequest<T>(send, { method: 'POST', url: urlOf(path, undefined), body: formOf(file, extra) }, describeUpload)
  return Object.assign(call, { request, upload })
}
