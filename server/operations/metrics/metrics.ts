import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Counter, Gauge, type Metric, Registry } from 'prom-client'
import type { CacheSize } from '#server/platform/http/response-cache.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobCount } from '#server/platform/jobs/queue.ts'

export interface Archiver {
  isFailing: boolean
  waiting: number
}

/** Upper bounds in seconds: from a cached list (0.2 ms) to the statement timeout. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
/** Requests that Fastify has no route for. */
const NO_ROUTE = 'none'

interface RouteCounts {
  /** Few per route, so a linear search is fast. */
  responses: { method: string; status: number; count: number }[]
  /** Responses by the first of `BUCKETS` that their duration does not exceed; the last one has the others. */
  buckets: Float64Array
  seconds: number
}

/** A histogram of the counts of each route, as prom-client reads metrics. */
function describeDurations(routes: ReadonlyMap<string, RouteCounts>): Metric {
  const name = 'scriptyard_http_request_duration_seconds'
  const help = 'Time from the headers of a request to the end of its response.'
  const describeRoute = ([route, { buckets, seconds }]: [string, RouteCounts]) => {
    let count = 0
    const values = [...BUCKETS, '+Inf'].map((le, i) => {
      count += buckets[i] ?? 0
      return { metricName: `${name}_bucket`, labels: { le, route }, value: count }
    })
    return [
      ...values,
      { metricName: `${name}_sum`, labels: { route }, value: seconds },
      { metricName: `${name}_count`, labels: { route }, value: count },
    ]
  }
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...routes].flatMap(describeRoute),
  })
  // The package's types allow its own classes only.
  return { name, get, reset: () => {} } as unknown as Metric
}

export interface MetricSources {
  pool: pg.Pool
  catalogue: { isInMemory: boolean; indexSize: number; cache: CacheSize }
  /** The jobs of the site; undefined in processes that run none, so that several processes do not count them twice. */
  countJobs?: () => Promise<JobCount[]>
  /** The WAL archive of the site; undefined in processes other than the first and without an archive. */
  readArchiver?: () => Promise<Archiver>
}

/** Labels have few values: patterns of routes and no ids, addresses or members. */
export class Metrics {
  readonly registry = new Registry()
  readonly #routes = new Map<string, RouteCounts>()

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    this.#addRequestCounter()
    this.registry.registerMetric(describeDurations(this.#routes))
  }

  /** Plain numbers until they are collected: prom-client's own counters would slow down every cached list measurably. */
  recordResponse(method: string, route: string, status: number, seconds: number): void {
    let counts = this.#routes.get(route)
    if (!counts) {
      counts = { responses: [], buckets: new Float64Array(BUCKETS.length + 1), seconds: 0 }
      this.#routes.set(route, counts)
    }
    let i = 0
    while (i < BUCKETS.length && seconds > (BUCKETS[i] ?? 0)) i++
    counts.buckets[i] = (counts.buckets[i] ?? 0) + 1
    counts.seconds += seconds
    for (const entry of counts.responses) {
      if (entry.status !== status || entry.method !== method) continue
      entry.count++
      return
    }
    counts.responses.push({ method, status, count: 1 })
  }

  observe(app: App): void {
    app.addHook('onResponse', (request, reply, done) => {
      this.recordResponse(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
  }

  watch({ pool, catalogue, countJobs, readArchiver }: MetricSources): void {
    this.#gauge('scriptyard_database_connections', 'Connections of the pool by state.', 'state', () => ({
      idle: pool.idleCount,
      busy: pool.totalCount - pool.idleCount,
    }))
    this.#gauge('scriptyard_database_waiting_requests', 'Requests that wait for a connection.', undefined, () => ({
      '': pool.waitingCount,
    }))
    this.#gauge('scriptyard_index_ready', 'Whether the index in memory answers queries.', undefined, () => ({
      '': Number(catalogue.isInMemory),
    }))
    this.#gauge('scriptyard_index_scripts', 'Scripts in the index.', undefined, () => ({ '': catalogue.indexSize }))
    this.#gauge('scriptyard_list_cache_bytes', 'Size of the cached lists.', undefined, () => ({
      '': catalogue.cache.bytes,
    }))
    this.#gauge('scriptyard_list_cache_entries', 'Number of cached lists.', undefined, () => ({
      '': catalogue.cache.entries,
    }))
    this.#addCacheCounter(() => catalogue.cache)
    if (countJobs) this.#addJobs(countJobs)
    if (readArchiver) this.#addArchiver(readArchiver)
  }

  #gauge(name: string, help: string, label: string | undefined, read: () => Record<string, number>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      collect() {
        for (const [value, count] of Object.entries(read())) {
          if (label === undefined) this.set(count)
          else this.set({ [label]: value }, count)
        }
      },
    })
    this.registry.registerMetric(gauge)
  }

  #addRequestCounter(): void {
    const routes = this.#routes
    const counter = new Counter({
      name: 'scriptyard_http_requests_total',
      help: 'Responses by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      registers: [],
      collect() {
        this.reset()
        for (const [route, { responses }] of routes)
          for (const { method, status, count } of responses) this.inc({ method, route, status: String(status) }, count)
      },
    })
    this.registry.registerMetric(counter)
  }

  #addCacheCounter(read: () => CacheSize): void {
    const counter = new Counter({
      name: 'scriptyard_list_cache_lookups_total',
      help: 'Lookups in the cache of lists by result.',
      labelNames: ['result'],
      registers: [],
      collect() {
        const { hits, misses } = read()
        this.reset()
        this.inc({ result: 'hit' }, hits)
        this.inc({ result: 'miss' }, misses)
      },
    })
    this.registry.registerMetric(counter)
  }

  #addArchiver(readArchiver: () => Promise<Archiver>): void {
    const add = (name: string, help: string, pick: (archiver: Archiver) => number) => {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const archiver = await readArchiver().catch(() => undefined)
          if (archiver) this.set(pick(archiver))
        },
      })
      this.registry.registerMetric(gauge)
    }
    add('scriptyard_wal_archive_failing', 'Whether the last attempt to archive WAL failed.', ({ isFailing }) =>
      Number(isFailing),
    )
    add('scriptyard_wal_archive_waiting_segments', 'WAL segments that wait to be archived.', ({ waiting }) => waiting)
  }

  #addJobs(countJobs: () => Promise<JobCount[]>): void {
    const gauge = new Gauge({
      name: 'scriptyard_jobs',
      help: 'Background jobs of the site by queue and state.',
      labelNames: ['queue', 'state'],
      registers: [],
      async collect() {
        // While the database does not answer, the last counts would be wrong.
        this.reset()
        for (const { queue, state, count } of await countJobs().catch(() => [])) this.set({ queue, state }, count)
      },
    })
    this.registry.registerMetric(gauge)
  }
}

const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? NO_ROUTE
