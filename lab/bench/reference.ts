// Child process, the reference: bare node:http sending the recorded responses, with the same headers, from a ready Buffer or
// by JSON.stringify of the same object for each response.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { RESPONSES = '', MODE = 'ready' } = process.env

interface RecordedResponse {
  headers: Record<string, string>
  body: Buffer
  object: unknown
}

const responses = new Map<string, RecordedResponse>()
for (const line of readFileSync(RESPONSES, 'utf8').split('\n')) {
  const { path, headers, body } = JSON.parse(line) as {
    path: string
    headers: Record<string, string>
    body: string
  }
  const object: unknown = MODE === 'stringify' ? JSON.parse(body) : undefined
  responses.set(path, { headers, body: Buffer.from(body), object })
}

const server = createServer(({ url = '' }, response) => {
  const recorded = responses.get(url)
  if (!recorded) return response.writeHead(404).end()
  const body = recorded.object === undefined ? recorded.body : Buffer.from(JSON.stringify(recorded.object))
  response.writeHead(200, { ...recorded.headers, 'content-length': body.length })
  return response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit(0))
