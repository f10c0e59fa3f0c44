// What the site is measured against: bare node:http that sends the bytes of a file with the same headers, ready or made
// by JSON.stringify for each answer.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { BODY_FILE = '', BODY_HEADERS = '{}', BODY_HOW = 'ready' } = process.env
const ready = readFileSync(BODY_FILE)
const headers = JSON.parse(BODY_HEADERS) as Record<string, string>
const object: unknown = BODY_HOW === 'stringify' ? JSON.parse(ready.toString()) : undefined

const server = createServer((_request, response) => {
  const body = object === undefined ? ready : Buffer.from(JSON.stringify(object))
  response.writeHead(200, { ...headers, 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit(0))
