import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { type ApiResponse, type ApiRequest, createClient } from './client.ts'

const makeResponse = (status: number, text: string, statusText = ''): ApiResponse => ({ status, statusText, text })

/** A client that gets the same response to every request, and the requests it sent. */
function clientOf(reply: ApiResponse | Error) {
  const sent: ApiRequest[] = []
  const api = createClient(async (request) => {
    sent.push(request)
    if (reply instanceof Error) throw reply
    return reply
  })
  return { api, sent }
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test.each([
  ['[{"id":1}]', [{ id: 1 }]],
  ['', []],
])('parses tags that arrive as the JSON string %j', async (tags, parsed) => {
  const { api } = clientOf(
    makeResponse(
      200,
      JSON.stringify({
        scripts: [
          { id: 7, tags },
          { id: 8, tags: [] },
        ],
      }),
    ),
  )
  const { scripts } = await api('GET /api/scripts')
  expect(scripts).toEqual([
    { id: 7, tags: parsed },
    { id: 8, tags: [] },
  ])
})

describe('a request', () => {
  test('is sent below /api with all non-empty parameters', async () => {
    const { api, sent } = clientOf(makeResponse(200, '{}'))
    await api('GET /api/scripts', { query: { page: 2, search: 'a b&c', tags: '' } })
    expect(sent).toMatchObject([{ method: 'GET', url: '/api/scripts?page=2&search=a+b%26c' }])
    expect(sent[0]).not.toHaveProperty('body')
  })

  test('sends its body as JSON, and its headers', async () => {
    const { api, sent } = clientOf(makeResponse(200, ''))
    await api.request('POST', '/giveaways', { body: { action: 'enter' }, headers: { 'user-id': '7' } })
    expect(sent).toMatchObject([
      { method: 'POST', url: '/api/giveaways', body: '{"action":"enter"}', headers: { 'user-id': '7' } },
    ])
    expect(sent[0]?.headers).toHaveProperty('content-type', 'application/json')
  })

  test('resolves to the parsed body', async () => {
    const { api } = clientOf(makeResponse(200, '{"scripts":[]}'))
    expect(await api.request('GET', '/scripts')).toEqual({ scripts: [] })
  })

  test('resolves to undefined for an empty response', async () => {
    const { api } = clientOf(makeResponse(204, ''))
    expect(await api.request('DELETE', '/session')).toBeUndefined()
  })
})

describe('a failed request', () => {
  test.each([
    [makeResponse(400, '{"error":"That is too long."}', 'Bad Request'), 'That is too long.'],
    [makeResponse(400, '{"code":"too_long"}', 'Bad Request'), 'HTTP 400'],
    [makeResponse(400, '{"error":""}', 'Bad Request'), 'HTTP 400'],
    [makeResponse(400, '{"error":7}', 'Bad Request'), 'HTTP 400'],
    [makeResponse(500, 'null', 'Internal Server Error'), 'HTTP 500'],
    [makeResponse(502, '<html>', 'Bad Gateway'), 'HTTP 502: Bad Gateway'],
    [makeResponse(502, '', 'Bad Gateway'), 'HTTP 502: Bad Gateway'],
    [makeResponse(502, '<html>'), 'HTTP 502'],
  ])('with the response %j has the message %s', async (reply, message) => {
    const { api } = clientOf(reply)
    expect(await failureOf(api.request('GET', '/scripts'))).toMatchObject({ message, status: reply.status })
  })

  test('has the code and the fields of the response', async () => {
    const { api } = clientOf(makeResponse(400, '{"error":"No.","code":"invalid","fields":{"title":"is missing"}}'))
    const error = await failureOf(api.request('POST', '/scripts'))
    expect(error).toMatchObject({ code: 'invalid', fields: { title: 'is missing' } })
  })

  test.each(['<html>', '{"error":"No.","code":7,"fields":"title"}'])(
    'has neither if the response has none: %s',
    async (text) => {
      const { api } = clientOf(makeResponse(400, text))
      expect(await failureOf(api.request('GET', '/scripts'))).toMatchObject({ code: '', fields: {} })
    },
  )

  test('has status 0 without a response', async () => {
    const { api } = clientOf(new TypeError('Failed to fetch'))
    expect(await failureOf(api.request('GET', '/scripts'))).toMatchObject({
      message: "The site can't be reached. Check your connection and try again.",
      status: 0,
    })
  })

  test('rejects with the AbortError if it was aborted', async () => {
    const { api } = clientOf(new DOMException('Aborted', 'AbortError'))
    await expect(api.request('GET', '/scripts')).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('an upload', () => {
  test('sends the file and its extra fields, objects as JSON', async () => {
    const { api, sent } = clientOf(makeResponse(200, '{"path":"/media/a.webp"}'))
    const file = new Blob(['x'], { type: 'image/png' })
    expect(await api.upload('/images', file, { kind: 'cover', crop: { x: 1 } })).toEqual({ path: '/media/a.webp' })
    const form = sent[0]?.body as FormData
    expect(sent[0]).toMatchObject({ method: 'POST', url: '/api/images' })
    expect([form.get('kind'), form.get('crop')]).toEqual(['cover', '{"x":1}'])
    expect(form.get('file')).toBeInstanceOf(Blob)
    // The browser sets the content type, which contains the boundary.
    expect(sent[0]?.headers?.['content-type']).toBeUndefined()
  })

  test.each([
    [makeResponse(413, '{"error":"Too large."}', 'Payload Too Large'), 'Too large.'],
    [makeResponse(413, '{}', 'Payload Too Large'), 'Upload failed: Payload Too Large'],
    [makeResponse(413, '<html>', 'Payload Too Large'), 'Upload failed: Payload Too Large'],
  ])('that fails with %j has the message %s', async (reply, message) => {
    const { api } = clientOf(reply)
    expect(await failureOf(api.upload('/images', new Blob([])))).toMatchObject({ message, status: 413 })
  })
})
