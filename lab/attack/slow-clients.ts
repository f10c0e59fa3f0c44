// Clients that send their requests a byte at a time, or not at all, while others use the site.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkResponse } from './checks.ts'
import { Client } from './client.ts'
import type { Report } from './report.ts'
import type { AttackedSite } from './site.ts'

const HEAD = 'POST /api/session HTTP/1.1\r\nhost: a\r\n'
/** What a slow client sends first; single bytes follow. */
const STARTS = [
  '',
  'GET /api/scripts HTTP/1.1\r\nhost: a\r\nx-slow: ',
  `${HEAD}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{"a":"`,
  `${HEAD}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":`,
  'POST /api/media HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n--x\r\n',
]
const DRIP_MS = 200

/** Opens `count` slow connections for `seconds`. All other requests must succeed beside them. */
export async function attackWithSlowClients(
  site: AttackedSite,
  { count, seconds, report }: { count: number; seconds: number; report: Report },
): Promise<void> {
  const sockets = Array.from({ length: count }, (_, i) => openSlow(site.port, STARTS[i % STARTS.length] ?? ''))
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a')
  }, DRIP_MS)
  const client = new Client(site.port, report)
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(20)) {
    for (const path of ['/', '/api/scripts?search=a', '/api/site', '/healthz']) {
      const response = await client.send({ method: 'GET', path })
      checkResponse(report, path, response)
      report.check(response.status === 200, () => `${path} answered ${response.status} beside slow clients`)
    }
  }
  clearInterval(drip)
  for (const socket of sockets) socket.destroy()
  client.close()
}

function openSlow(port: number, start: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(start))
  // The site may close it.
  return socket.on('error', () => {}).resume()
}
