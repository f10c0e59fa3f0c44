import { fork } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Site } from '#contract/site.ts'
import type { BenchDatabase } from './data.ts'
import { type LoadStats, measureInTurn, median } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import {
  type InstrumentedSite,
  receive,
  request,
  startInstrumentedSite,
  startReference,
  type StartReport,
} from './processes.ts'

export interface ListsOptions {
  database: BenchDatabase
  dataDir: string
  folder: string
  scripts: number
  seconds: number
  rounds: number
  starts: number
  /** Duration of each measurement in the comparison of workers, after the warm-up. */
  comparedSeconds: number
}

export interface IndexReport {
  /** Size of the index after loading it, MB. */
  memory: number
  /** Size of the index with its set caches after the queries of the mix, MB. */
  memoryAfter: number
  /** Milliseconds. */
  times: Record<string, { p50: number; p99: number; worst: number }>
  lastOverFirst: number
  facetsOverCount: number
  sqlCount: number
}

/** More connections only wait for a PostgreSQL connection. */
const SQL_CONNECTIONS = 8
const PARALLEL_REQUESTS = 16

async function findCached(origin: string): Promise<Record<string, string>> {
  const { scripts } = (await (await fetch(`${origin}/api/scripts`)).json()) as ScriptList
  const { public_url } = (await (await fetch(`${origin}/api/site`)).json()) as Site
  const slug = scripts[0]?.slug ?? ''
  return {
    list: '/api/scripts?sort=title',
    page: '/',
    feed: '/feeds/scripts.atom',
    badge: `/badge/${slug}/downloads.svg`,
    oEmbed: `/api/oembed?url=${encodeURIComponent(`${public_url}/scripts/${slug}`)}`,
    sitemap: '/sitemap.xml',
  }
}

export type Lists = Awaited<ReturnType<typeof measureLists>>

/** Measures lists and pages under ten writes per second against node:http and SQL, the starts of the site, and the index. */
export async function measureLists({ database, dataDir, folder, scripts, seconds, rounds, starts }: ListsOptions) {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const options = { folder, seconds, rounds }
  const mix = makeMix(scripts, 5)
  const paths = pickSequence(mix, 9)
  const snapshot = path.join(dataDir, 'catalogue-index')

  const uncached = { ...env, LIST_CACHE_MB: '0' }
  const { site: first, starts: fresh } = await measureStarts(starts, uncached, () => rm(snapshot, { force: true }))
  await warmUp(first, mix)
  const responses = path.join(folder, 'responses')
  const meanBytes = await recordResponses(first.origin, mix, responses)
  const references = {
    ready: await startReference(responses, 'ready'),
    stringify: await startReference(responses, 'stringify'),
  }
  const listMix = await measureInTurn({ lists: first, ...references }, { ...options, paths })
  const { visibility, memory } = await first.measureVisibility()
  for (const site of [first, ...Object.values(references)]) await site.stop()

  const { site: second, starts: restarts } = await measureStarts(starts, { ...env, WEB: 'built' })
  await warmUp(second, mix)
  const cachedMix = await measureInTurn({ lists: second }, { ...options, paths })
  const cached: Record<string, { site: LoadStats; ready: LoadStats }> = {}
  for (const [name, url] of Object.entries(await findCached(second.origin)))
    cached[name] = await measureCached(second, url, options)
  await second.stop()

  const withoutIndex = await startInstrumentedSite({ ...env, LIST_CACHE_MB: '0', CATALOGUE_INDEX: 'database' })
  const sqlOptions = { ...options, rounds: 1, paths, connections: SQL_CONNECTIONS }
  const { sql } = await measureInTurn({ sql: withoutIndex }, sqlOptions)
  await withoutIndex.stop()
  const inside = await measureIndex({ DATABASE_URL: database.url, SNAPSHOT: snapshot, SCRIPTS: String(scripts) })
  return {
    meanBytes: Math.round(meanBytes),
    mix: { ...listMix, 'cached lists': cachedMix.lists, sql },
    cached,
    fresh,
    restarts,
    visibility,
    memory: Math.round(memory.rss / 1e6),
    inside,
  }
}

async function measureCached(
  site: InstrumentedSite,
  url: string,
  options: { folder: string; seconds: number; rounds: number },
) {
  const responses = path.join(options.folder, 'cached')
  await recordResponses(site.origin, [url], responses)
  const ready = await startReference(responses, 'ready')
  const stats = await measureInTurn({ site, ready }, { ...options, paths: [url] })
  await ready.stop()
  return stats
}

/** Requests each list once, so that all cards of the mix are cached. */
async function warmUp({ origin }: InstrumentedSite, paths: readonly string[]): Promise<void> {
  for (let i = 0; i < paths.length; i += PARALLEL_REQUESTS) {
    const batch = paths.slice(i, i + PARALLEL_REQUESTS)
    await Promise.all(batch.map(async (url) => (await fetch(origin + url)).arrayBuffer()))
  }
}

const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Writes the uncompressed responses to a file, one line of path, headers and body each. Returns the mean body size, bytes. */
async function recordResponses(origin: string, paths: readonly string[], file: string): Promise<number> {
  const lines: string[] = []
  let bytes = 0
  for (const url of paths) {
    const response = await fetch(origin + url, { headers: { 'accept-encoding': 'identity' } })
    const body = await response.text()
    bytes += Buffer.byteLength(body)
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !CONNECTION_HEADERS.has(name)))
    lines.push(JSON.stringify({ path: url, headers, body }))
  }
  await writeFile(file, lines.join('\n'))
  return bytes / paths.length
}

async function measureIndex(env: Record<string, string>): Promise<IndexReport> {
  const file = path.join(import.meta.dirname, 'index-timings.ts')
  const child = fork(file, { env: { ...process.env, ...env }, execArgv: ['--expose-gc'] })
  return receive<IndexReport>(child)
}

interface StartStats extends StartReport {
  /** The longest delay of an idle process at the same time, ms. */
  idle: number
  /** The longest stall of all starts, ms. */
  worst: number
}

/** Starts the site `count` times, each after `prepare`, and leaves the last one running. Returns medians. */
async function measureStarts(
  count: number,
  env: Record<string, string>,
  prepare: () => Promise<void> = async () => {},
): Promise<{ site: InstrumentedSite; starts: StartStats }> {
  const reports: Omit<StartStats, 'worst'>[] = []
  for (;;) {
    await prepare()
    const idle = fork(path.join(import.meta.dirname, 'idle.ts'))
    await receive(idle)
    const site = await startInstrumentedSite(env)
    reports.push({ ...site.report, idle: await request<number>(idle, 'longest') })
    idle.disconnect()
    if (reports.length >= count) {
      const medianOf = (name: 'ready' | 'stall' | 'idle') => median(reports.map((report) => report[name]))
      const worst = Math.max(...reports.map(({ stall }) => stall))
      const starts = { ready: medianOf('ready'), stall: medianOf('stall'), idle: medianOf('idle'), worst }
      return { site, starts }
    }
    await site.stop()
  }
}
