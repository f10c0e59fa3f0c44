// What the site is measured against: bare node:http that sends the bytes of a file with the same headers.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { BODY_FILE = '', BODY_HEADERS = '{}' } = process.env
const body = readFileSync(BODY_FILE)
const headers = JSON.parse(BODY_HEADERS) as Record<string, string>

const server = createServer((_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit(0))
