import type { OperationName } from '#contract/operations.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { SampleCall } from './sample.ts'

const BOUNDARY = 'form-data-boundary'

export function multipart(file: Buffer): { payload: Buffer; type: string } {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  return { payload, type: `multipart/form-data; boundary=${BOUNDARY}` }
}

/** The response is an endless stream, so only its head is requested. */
const ENDLESS: OperationName = 'GET /api/notification-stream'

export function send({ app }: TestApp, name: OperationName, call: SampleCall, headers: Record<string, string>) {
  const [method, url] = name.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const path = url.replaceAll(/\{(\w+)\}/g, (_part, part: string) => String(call.path?.[part]))
  const query = Object.fromEntries(Object.entries(call.query ?? {}).map(([key, value]) => [key, String(value)]))
  const form = call.file && multipart(call.file)
  return app.inject({
    method: name === ENDLESS ? 'HEAD' : method,
    url: path,
    query,
    headers: { ...headers, ...(form ? { 'content-type': form.type } : {}) },
    ...(form ? { payload: form.payload } : {}),
    ...(call.payload ? { payload: call.payload } : {}),
  })
}
