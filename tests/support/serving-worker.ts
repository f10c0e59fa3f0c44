// A worker that answers every request with its process id.
import { createServer } from 'node:http'

interface Message {
  type: string
  site?: { config: { port: number } }
}

process.on('message', ({ type, site }: Message) => {
  if (type === 'stop') process.exit(0)
  if (type !== 'start') return
  const server = createServer((_request, response) => response.end(String(process.pid)))
  server.listen({ port: site?.config.port, host: '127.0.0.1' }, () => process.send?.({ type: 'listening' }))
})
process.send?.({ type: 'ready' })
setInterval(() => process.send?.({ type: 'heartbeat' }), 100)
