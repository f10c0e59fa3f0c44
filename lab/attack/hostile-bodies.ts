// Hostile request bodies: many connections send the bodies that cost a server most, while a visitor and a member go on
// using the site. Start the site with RATE_LIMIT=off and a heap of 256 MB:
// NODE_OPTIONS=--max-old-space-size=256
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface HostileBodiesOptions {
  origin: string
  /** Session tokens of the members who attack. Visitors attack as well. */
  hostileTokens: readonly string[]
  /** Session token of the member who uses the site as it is meant. */
  honestToken: string
  connections?: number
  seconds?: number
  /** The site's process, for its memory and its waiting time. */
  pid?: number
}

export interface Latencies {
  calls: number
  failed: number
  medianMs: number
  worstMs: number
  /** The slowest response, less the time in which the site's main thread could run and had no processor. */
  worstServedMs?: number
}

export interface HostileBodiesStats {
  healthz: Latencies
  lists: Latencies
  /** Scripts of 20 KB published by the honest member. */
  publishing: Latencies
  /** Numbers of responses to the attackers by status; `closed` for connections without a response. */
  attackers: Record<string, number>
  peakMemoryMb: number | undefined
}

/** Target for the slowest response of `/healthz` beside 64 hostile connections and with a heap of 256 MB. */
export const MAX_HEALTHZ_MS = 250

/** How long the site has been in use when the attack begins. */
const BEFORE_MS = 3000

/** Attacks a site and measures how it serves others at that time. */
export async function attackWithBodies(options: HostileBodiesOptions): Promise<HostileBodiesStats> {
  const { origin, honestToken, connections = 64, seconds = 20, pid } = options
  const measureOthers = async (end: number) =>
    Promise.all([
      probe(end, 20, () => fetch(`${origin}/healthz`), pid),
      probe(end, 200, (n) => fetch(`${origin}/api/scripts?page=1&search=n${n}`)),
      probe(end, 500, (n) => publish(origin, honestToken, n)),
    ])
  await measureOthers(Date.now() + BEFORE_MS)
  const attackers = await startAttackers({ origin, tokens: options.hostileTokens, connections })
  const end = Date.now() + seconds * 1000
  const memory = watchMemory(pid, end)
  const [healthz, lists, publishing] = await measureOthers(end)
  const counts = await attackers.stop()
  return { healthz, lists, publishing, attackers: counts, peakMemoryMb: await memory }
}

/**
 * Starts the attackers in a process of the lowest priority: on a network they would not use the processors of the site and
 * of the visitor whose waiting time is measured. Resolves after their first response.
 */
async function startAttackers(attack: Attack): Promise<{ stop: () => Promise<Record<string, number>> }> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(attack)])
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  await once(child, 'message')
  return {
    stop: async () => {
      child.send('stop')
      const [counts] = (await once(child, 'message')) as [Record<string, number>]
      child.kill()
      return counts
    },
  }
}

function publish(origin: string, token: string, n: number): Promise<Response> {
  const body = { title: `Honest ${n}`, description: 'Text.', script_content: 'print("hello")\n'.repeat(1300) }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${origin}/api/scripts`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function probe(
  end: number,
  pauseMs: number,
  call: (n: number) => Promise<Response>,
  pid?: number,
): Promise<Latencies> {
  const times: number[] = []
  let failed = 0
  let worstServedMs: number | undefined
  for (let n = 0; Date.now() < end; n++) {
    const waited = readWaitMs(pid)
    const start = performance.now()
    try {
      const response = await call(n)
      await response.arrayBuffer()
      if (!response.ok) failed++
    } catch {
      failed++
    }
    const ms = performance.now() - start
    times.push(ms)
    const wait = readWaitMs(pid)
    if (wait !== undefined && waited !== undefined)
      worstServedMs = Math.max(worstServedMs ?? 0, Math.round(ms - (wait - waited)))
    await delay(pauseMs)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const timeOf = (index: number) => Math.round(sorted[index] ?? 0)
  return {
    calls: times.length,
    failed,
    medianMs: timeOf(Math.floor(times.length / 2)),
    worstMs: timeOf(times.length - 1),
    ...(worstServedMs === undefined ? {} : { worstServedMs }),
  }
}

/** Milliseconds since its start in which a process's main thread was ready to run and had no processor. Linux only. */
function readWaitMs(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return undefined
  }
}

/** Peak resident memory in MB; undefined without a process or outside of Linux. */
async function watchMemory(pid: number | undefined, end: number): Promise<number | undefined> {
  if (pid === undefined) return undefined
  let peak: number | undefined
  while (Date.now() < end) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      peak = Math.max(peak ?? 0, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000)
    } catch {
      return peak
    }
    await delay(100)
  }
  return peak === undefined ? undefined : Math.round(peak)
}

interface Attack {
  origin: string
  tokens: readonly string[]
  connections: number
}

interface HostileRequest {
  target: string
  type?: string
  body: Buffer
  /** The body is sent as it is, with its chunk sizes. */
  isChunked?: boolean
}

const MB = 1_000_000
const BOUNDARY = 'hostile'
const FORM = `multipart/form-data; boundary=${BOUNDARY}`

const text = (json: string) => Buffer.from(json)
const fill = (part: string, bytes: number) => part.repeat(Math.floor(bytes / part.length))

function hostileRequests(): HostileRequest[] {
  const script = { title: 'A', description: 'B', image: `data:image/png;base64,${fill('QUJD', 4.1 * MB)}` }
  const large = text(JSON.stringify({ ...script, script_content: fill('print("é")\n', 0.8 * MB) }))
  const keys = Array.from({ length: 450_000 }, (_, n) => `"k${n}":1`).join(',')
  const bytewise = text(fill('1\r\n[\r\n', MB))
  const file = `content-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n`
  return [
    { target: 'POST /api/scripts', body: text(`{"constructor":1,"a":[${fill('{},', 7 * MB)}{}]}`) },
    { target: 'POST /api/scripts', body: text(`{${keys}}`) },
    { target: 'POST /api/scripts', body: text(fill('[', 7 * MB)) },
    { target: 'POST /api/scripts', body: text(`{"tags":[${fill('"a",', 7 * MB)}"a"]}`) },
    { target: 'POST /api/scripts', body: large },
    { target: 'PUT /api/script-details?id=1', body: large },
    { target: 'PUT /api/user-profiles', body: text(JSON.stringify({ bio: fill('x', 8 * MB) })) },
    { target: 'POST /api/script-download', body: text(`{"a":[${fill('[],', MB)}[]]}`) },
    { target: 'POST /api/script-download', body: text(`{"a":[${fill('[],', 0.06 * MB)}[]]}`) },
    { target: 'POST /api/nowhere', body: text(`[${fill('{},', 7 * MB)}{}]`) },
    { target: 'POST /api/scripts', body: bytewise, isChunked: true },
    { target: 'GET /api/scripts', body: bytewise, isChunked: true },
    { target: 'GET /api/scripts', body: text(fill('x', 7 * MB)) },
    { target: 'POST /api/media', type: FORM, body: bytewise, isChunked: true },
    {
      target: 'POST /api/media',
      type: FORM,
      body: text(`--${BOUNDARY}\r\n${file}\r\n\x89PNG\r\n\x1A\n${fill('x', 3 * MB)}\r\n--${BOUNDARY}--\r\n`),
    },
  ]
}

/** Sends one request and waits for its response. Resolves with the status, or 'closed'. */
async function sendHostile(origin: string, request: HostileRequest, token: string | undefined): Promise<string> {
  const { target, type = 'application/json', body, isChunked } = request
  const { hostname, port } = new URL(origin)
  const lines = [
    `${target} HTTP/1.1`,
    'host: a.test',
    `content-type: ${type}`,
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ]
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  const status = await new Promise<string>((resolve) => {
    socket.on('data', (chunk) => resolve(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'closed'))
    for (const event of ['error', 'close']) socket.on(event, () => resolve('closed'))
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(body)
  })
  socket.destroy()
  return status
}

async function runAttack({ origin, tokens, connections }: Attack): Promise<void> {
  const requests = hostileRequests()
  const counts: Record<string, number> = {}
  let hasStarted = false
  const attack = async (connection: number) => {
    for (let n = connection; ; n++) {
      const request = requests[n % requests.length]
      // Every fourth connection is a visitor's.
      const token = connection % 4 === 0 ? undefined : tokens[connection % tokens.length]
      const status = request ? await sendHostile(origin, request, token) : 'closed'
      counts[status] = (counts[status] ?? 0) + 1
      if (!hasStarted) process.send?.('started')
      hasStarted = true
      // A dead site refuses connections at once.
      if (status === 'closed') await delay(20)
    }
  }
  process.once('message', () => process.send?.(counts))
  process.once('disconnect', () => process.exit())
  await Promise.all(Array.from({ length: connections }, (_, connection) => attack(connection)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runAttack(JSON.parse(process.argv[2] ?? '') as Attack)
