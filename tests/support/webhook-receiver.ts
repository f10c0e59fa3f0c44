// A receiver of webhooks in a process of its own, which shares no code with the site: it verifies each request with the
// reference library of the Standard Webhooks specification. Its parent configures it by messages, and asks what it received.
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

export interface ReceivedEvent {
  id: string
  isValid: boolean
  type: string
  /** `data` of the body. */
  data: Record<string, unknown>
  userAgent: string
  status: number
  /** The bytes that were received, as text. */
  body: string
}

interface Settings {
  secrets?: string[]
  /** Statuses of the next responses; 204 after them. */
  statuses?: number[]
  delayMs?: number
  headers?: Record<string, string>
  body?: string
}

let settings: Settings = {}
let received: ReceivedEvent[] = []
/** Path of the URL that is listened to; others belong to earlier tests. */
let path = '/hook'

const server = createServer((request, response) => {
  if (request.url !== path) {
    response.writeHead(204).end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const { 'user-agent': userAgent = '', 'webhook-id': id } = request.headers
    const verify = (secret: string) => {
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    const status = settings.statuses?.shift() ?? 204
    const { type, data } = JSON.parse(body) as ReceivedEvent
    const isValid = settings.secrets?.some(verify) ?? false
    received.push({ id: String(id), isValid, type, data, userAgent, status, body })
    setTimeout(() => {
      response.writeHead(status, settings.headers ?? {}).end(status === 204 ? undefined : (settings.body ?? 'Seen.'))
    }, settings.delayMs ?? 0)
  })
})

process.on('disconnect', () => process.exit())
process.on('message', (message: Settings | 'received' | { path: string }) => {
  if (message === 'received') process.send?.(received)
  else if ('path' in message) {
    ;({ path } = message)
    settings = {}
    received = []
    process.send?.('reset')
  } else {
    settings = { ...settings, ...message }
    process.send?.('configured')
  }
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
