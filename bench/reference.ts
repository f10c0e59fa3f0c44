// What the site is measured against: bare node:http that sends the same bytes with the same headers at the same addresses,
// ready as a Buffer, or made by JSON.stringify of the same object for each answer.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { ANSWERS = '', HOW = 'ready' } = process.env

interface Answer {
  headers: Record<string, string>
  body: Buffer
  object: unknown
}

const answers = new Map<string, Answer>()
for (const line of readFileSync(ANSWERS, 'utf8').split('\n')) {
  const { address, headers, body } = JSON.parse(line) as {
    address: string
    headers: Record<string, string>
    body: string
  }
  const object: unknown = HOW === 'stringify' ? JSON.parse(body) : undefined
  answers.set(address, { headers, body: Buffer.from(body), object })
}

const server = createServer(({ url = '' }, response) => {
  const answer = answers.get(url)
  if (!answer) return response.writeHead(404).end()
  const body = answer.object === undefined ? answer.body : Buffer.from(JSON.stringify(answer.object))
  response.writeHead(200, { ...answer.headers, 'content-length': body.length })
  return response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit(0))
