// npm run bench hydration [-- --origin URL ...] [--runs 3] [PATH ...]
// What JavaScript costs a phone on each public page: its size, and the main thread's tasks from the first module until the
// page is quiet. As Lighthouse does, it multiplies the time of a task by four, the factor between this machine and a mid-range
// phone. Unlike Lighthouse, it takes the thread's CPU time, which other programs on the machine do not lengthen.
// Measures the build with the demo catalogue, or running sites, which it visits in turn to compare them.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type CDPSession, chromium } from '@playwright/test'
import { makeTemporaryFolder } from './data.ts'
import { startSite } from './processes.ts'
import { findPublicPages } from './public-pages.ts'
import { findChromium } from '../../scripts/run/chromium.mjs'

const CPU_SLOWDOWN = 4
/** A longer task delays the response to input noticeably. */
const LONG_TASK_MS = 50
/** 1.6 Mbit/s with a round trip of 150 ms, Lighthouse's slow 4G: scripts arrive after the first paint. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const SCREEN = { width: 412, height: 823 }
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'v8']
const QUIET_MS = 1000
const TASK = 'RunTask'
const MODULE = 'v8.evaluateModule'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Start, microseconds. */
  ts: number
  /** Microseconds. */
  dur?: number
  /** CPU time of the thread, microseconds. */
  tdur?: number
}

interface Visit {
  /** Kilobytes of JavaScript as sent, with Brotli. */
  'JS KB': number
  /** Tasks longer than 50 ms. */
  'long tasks': number
  'longest ms': number
  /** The time of tasks beyond 50 ms each: Lighthouse's total blocking time. */
  'blocking ms': number
  'all tasks ms': number
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({
    viewport: SCREEN,
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Network.emulateNetworkConditions', NETWORK)
    const scriptBytes = countScriptBytes(client)
    const events = await trace(client, async () => {
      await page.goto(url, { waitUntil: 'networkidle' })
      await sleep(QUIET_MS)
    })
    return { 'JS KB': round(scriptBytes() / 1024), ...measureTasks(events) }
  } finally {
    await context.close()
  }
}

/** Returns a function that returns the number of bytes so far. */
function countScriptBytes(client: CDPSession): () => number {
  const scripts = new Set<string>()
  let bytes = 0
  client.on('Network.responseReceived', ({ requestId, type }) => void (type === 'Script' && scripts.add(requestId)))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

async function trace(client: CDPSession, load: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await client.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES }, transferMode: 'ReportEvents' })
  await load()
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve))
  await client.send('Tracing.end')
  await complete
  return events
}

/** The tasks of the page's main thread from its first module on. */
function measureTasks(events: readonly TraceEvent[]): Omit<Visit, 'JS KB'> {
  const [first] = events.filter(({ name }) => name === MODULE).toSorted((a, b) => a.ts - b.ts)
  if (!first) throw new Error('The page ran no module.')
  const end = first.ts + (first.dur ?? 0)
  const times = events
    .filter(({ name, pid, tid }) => name === TASK && pid === first.pid && tid === first.tid)
    .filter(({ ts, dur = 0 }) => ts + dur >= end)
    .map(({ tdur = 0 }) => (tdur / 1000) * CPU_SLOWDOWN)
  const long = times.filter((time) => time > LONG_TASK_MS)
  return {
    'long tasks': long.length,
    'longest ms': round(Math.max(...times)),
    'blocking ms': round(sum(long.map((time) => time - LONG_TASK_MS))),
    'all tasks ms': round(sum(times)),
  }
}

const round = (value: number) => Math.round(value)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function median(visits: readonly Visit[]): Visit {
  const middle = (key: keyof Visit) =>
    visits.map((each) => each[key]).toSorted((a, b) => a - b)[visits.length >> 1] ?? 0
  return {
    'JS KB': middle('JS KB'),
    'long tasks': middle('long tasks'),
    'longest ms': middle('longest ms'),
    'blocking ms': middle('blocking ms'),
    'all tasks ms': middle('all tasks ms'),
  }
}

async function measure(origins: readonly string[], paths: readonly string[], runs: number): Promise<void> {
  const executablePath = (await findChromium(process.execPath)) || chromium.executablePath()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const rows: Record<string, Visit> = {}
  try {
    for (const address of paths) {
      const visits = origins.map((): Visit[] => [])
      // The first round renders the page in the server and is not counted.
      for (let run = 0; run <= runs; run++) {
        for (const [i, origin] of origins.entries()) {
          const result = await visit(browser, origin + address)
          if (run > 0) visits[i]?.push(result)
        }
      }
      for (const [i, origin] of origins.entries()) {
        rows[origins.length > 1 ? `${origin}${address}` : address] = median(visits[i] ?? [])
      }
    }
  } finally {
    await browser.close()
  }
  console.table(rows)
}

const { values, positionals } = parseArgs({
  options: { origin: { type: 'string', multiple: true }, runs: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const folder = await makeTemporaryFolder()
const site = values.origin ? undefined : await startSite({ DATA_DIR: path.join(folder, 'data'), DEMO_DATA: 'on' })
try {
  const origins = values.origin ?? [site?.origin ?? '']
  const paths = positionals.length > 0 ? positionals : await findPublicPages(origins[0] ?? '')
  await measure(origins, paths, Number(values.runs))
} finally {
  await site?.stop()
  await rm(folder, { recursive: true, force: true })
}
