import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '#server/platform/http/public-client.ts'
import { WebhookSender } from './send.ts'

const MESSAGE = { headers: { 'webhook-id': 'a' }, body: '{}' }
const PRIVATE = 'The URL leads to a private network, which this site does not reach.'
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function openSender(options: Partial<ConstructorParameters<typeof WebhookSender>[0]> = {}): WebhookSender {
  const sender = new WebhookSender({ userAgent: 'Tests/1.0', allowsLoopback: false, ...options })
  closing.push(() => sender.close())
  return sender
}

async function listen(answer: RequestListener): Promise<{ server: Server; port: number; count: () => number }> {
  let count = 0
  const server = createServer((request, response) => {
    count++
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => (server.closeAllConnections(), server.close()))
  return { server, port: (server.address() as AddressInfo).port, count: () => count }
}

describe('private addresses', () => {
  test.each([
    ['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1', '169.254.169.254'],
    [
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.168.1.1',
      '198.18.0.1',
      '203.0.113.5',
      '224.0.0.1',
      '255.255.255.255',
    ],
    [
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
    ],
    [
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
      '3fff::1',
    ],
    ['100::1', '5f00::1', 'localhost', ''],
  ])('%s and others are blocked', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  test('public addresses are not', () => {
    const addresses = ['1.1.1.1', '100.63.255.255', '100.128.0.1', '172.32.0.1', '192.169.0.1', '223.255.255.255']
    expect([...addresses, '2606:4700::1111', '2a00:1450:4001::1'].every(isPublicAddress)).toBe(true)
  })

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[64:ff9b::a00:1]/',
  ])('%s gets no request', async (url) => {
    expect(await openSender().send(new URL(url), MESSAGE)).toMatchObject({ status: null, error: PRIVATE })
  })

  test('http gets no request outside of development, and loopback alone in development', async () => {
    const { port, count } = await listen((_request, response) => response.end())
    const url = new URL(`http://127.0.0.1:${port}/`)
    expect((await openSender().send(url, MESSAGE)).error).toBe('The URL must start with https://.')
    expect(count()).toBe(0)
    const local = openSender({ allowsLoopback: true })
    expect((await local.send(url, MESSAGE)).status).toBe(200)
    expect((await local.send(new URL('http://10.0.0.1/'), MESSAGE)).error).toBe(PRIVATE)
  })
})

/** A DNS server that answers each query for an IPv4 address with the next of these, and repeats the last one. */
async function serveNames(addresses: string[]): Promise<{ server: string; asked: () => number }> {
  const socket: Socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const isIpv4 = query.readUInt16BE(end - 4) === 1
    const ip = (addresses[Math.min(asked, addresses.length - 1)] ?? '').split('.').map(Number)
    if (isIpv4) asked++
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0])
    const record = isIpv4 ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip]) : Buffer.alloc(0)
    socket.send(Buffer.concat([head, query.subarray(12, end), record]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closing.push(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

describe('names', () => {
  test('a name with a private address gets no request', async () => {
    const { server } = await serveNames(['127.0.0.1'])
    const attempt = await openSender({ dnsServers: [server] }).send(new URL('https://hook.test/'), MESSAGE)
    expect(attempt).toMatchObject({ status: null, error: PRIVATE })
  })

  test('a name whose address changes between the check and the connection is looked up only once', async () => {
    const { port, count } = await listen((_request, response) => response.end())
    // Stands for a public address; loopback is allowed here.
    const { server, asked } = await serveNames(['127.0.0.1', '10.0.0.1'])
    const sender = openSender({ dnsServers: [server], allowsLoopback: true })
    const url = new URL(`http://hook.test:${port}/`)
    expect((await sender.send(url, MESSAGE)).status).toBe(200)
    expect([asked(), count()]).toEqual([1, 1])
    // A new connection is checked again.
    sender.close()
    expect((await sender.send(url, MESSAGE)).error).toBe(PRIVATE)
    expect([asked(), count()]).toEqual([2, 1])
  })

  test('an unknown name is explained', async () => {
    const { server } = await serveNames([])
    const attempt = await openSender({ dnsServers: [server] }).send(new URL('https://hook.test/'), MESSAGE)
    expect(attempt.error).toMatch(/was not found|failed/)
  })
})

describe('responses', () => {
  const send = async (answer: RequestListener) => {
    const { port } = await listen(answer)
    return openSender({ allowsLoopback: true }).send(new URL(`http://127.0.0.1:${port}/`), MESSAGE)
  }

  test('redirects are not followed', async () => {
    const target = await listen((_request, response) => response.end())
    const attempt = await send((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end(),
    )
    expect(attempt.status).toBe(307)
    expect(target.count()).toBe(0)
  })

  test('only the first KB is returned, and an endless response ends', async () => {
    const attempt = await send((_request, response) => {
      response.on('close', () => clearInterval(timer))
      const timer = setInterval(() => response.write('x'.repeat(4096)), 1)
    })
    expect(attempt.status).toBe(200)
    expect(attempt.response).toBe('x'.repeat(1024))
  })

  test('a response that never ends, a broken one and a refused connection are explained', async () => {
    expect((await send((_request, response) => response.socket?.write('nonsense\r\n\r\n'))).error).toBe(
      'The response was not valid HTTP.',
    )
    expect((await send(({ socket }) => socket.destroy())).error).toBe('The connection failed.')
    const sender = openSender({ allowsLoopback: true })
    expect((await sender.send(new URL('http://127.0.0.1:1/'), MESSAGE)).error).toBe(
      'The server refused the connection.',
    )
    const { port } = await listen(() => {})
    const impatient = openSender({ allowsLoopback: true, timeoutMs: 200 })
    expect(await impatient.send(new URL(`http://127.0.0.1:${port}/`), MESSAGE)).toMatchObject({
      status: null,
      error: 'There was no complete response in time.',
    })
  })

  test('connections are used again', async () => {
    const ports = new Set<number>()
    const { port } = await listen(({ socket }, response) => {
      ports.add(socket.remotePort ?? 0)
      response.end('Seen.')
    })
    const sender = openSender({ allowsLoopback: true })
    for (let i = 0; i < 5; i++) await sender.send(new URL(`http://127.0.0.1:${port}/`), MESSAGE)
    expect(ports.size).toBe(1)
  })
})

test.each([
  ['120', 120],
  [new Date(Date.now() + 90_000).toUTCString(), 90],
  [new Date(Date.now() + 7_200_000).toUTCString(), 3600],
  [new Date(Date.now() - 90_000).toUTCString(), null],
  ['soon', null],
])('a response with Retry-After %s is repeated after %s seconds', async (header, expected) => {
  const { port } = await listen((_request, response) => response.writeHead(429, { 'retry-after': header }).end())
  const sender = openSender({ allowsLoopback: true })
  const { retryAfterSeconds } = await sender.send(new URL(`http://127.0.0.1:${port}/`), MESSAGE)
  // The test may take a while on a busy machine.
  const isNear = Math.abs((retryAfterSeconds ?? 0) - (expected ?? 0)) <= 60
  expect([retryAfterSeconds === null, isNear]).toEqual([expected === null, true])
})
