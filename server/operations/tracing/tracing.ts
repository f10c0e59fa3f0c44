import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { TracingConfig } from '#server/platform/config/tracing.ts'
import { currentWork, type RunJob, type Work } from '#server/platform/db/current-work.ts'
import type { QueryListener } from '#server/platform/db/pool.ts'
import type { App } from '#server/platform/http/app.ts'

export interface TracingOptions extends TracingConfig {
  /** Proxies whose `traceparent` continues a trace. */
  trustProxy: readonly string[]
  delayMs?: number
}

const DELAY_MS = 5000
const EXPORT_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 2000
/** Shorter waits for a connection are not recorded. */
const MIN_WAIT_MS = 5
/** Time between two log lines about spans that could not be sent. */
const REPORT_INTERVAL_MS = 60_000

/** W3C Trace Context, version 00. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const TEXTS = /'(?:[^']|'')*'/g
const INNERMOST = /\([^()]*\)/g
const OPERATION = /\b(?:select|insert|update|delete|merge)\b/i
const TABLE = /\b(?:from|into|update|join)\s+"?([a-z_]+(?:"?\."?[a-z_]+)?)/i
/** The site sends some hundred different statements. */
const MAX_STATEMENTS = 2000

interface Statement {
  operation: string
  table: string | undefined
}

function describeStatement(statement: string): Statement {
  let text = statement.replaceAll(TEXTS, '')
  for (let former = ''; former !== text;) {
    former = text
    text = text.replaceAll(INNERMOST, ' ')
  }
  const operation = OPERATION.exec(text)?.[0] ?? /[a-z]+/i.exec(text)?.[0] ?? 'statement'
  return { operation: operation.toLowerCase(), table: TABLE.exec(text)?.[1]?.replaceAll('"', '') }
}

/** Spans have no values: nothing that identifies a member, a script or an address. A silent collector costs spans. */
export class Tracing implements QueryListener {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #isProxy: (address: string) => boolean
  readonly #statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS })
  #log: FastifyBaseLogger | undefined
  #reportedAt = -Infinity

  constructor({ endpoint, headers, ratio, serviceName, trustProxy, delayMs = DELAY_MS }: TracingOptions) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [
        new BatchSpanProcessor({ exporter: this.#reportFailures(exporter), scheduledDelayMillis: delayMs }),
      ],
    })
    this.#tracer = this.#provider.getTracer('scriptyard')
    const trust = proxyAddr.compile([...trustProxy])
    this.#isProxy = (address) => trustProxy.length > 0 && trust(address, 0)
  }

  observe(app: App): void {
    this.#log = app.log
    app.addHook('onRequest', (request, _reply, done) => {
      const { work, method, routeOptions } = request
      const kind = work.parent ? SpanKind.INTERNAL : SpanKind.SERVER
      const attributes = { 'http.request.method': method, 'http.route': routeOptions.url ?? 'none' }
      work.span = this.#tracer.startSpan(work.name, { kind, attributes }, this.#parentOf(work, request.raw))
      done()
    })
    app.addHook('onResponse', ({ work }, { statusCode }, done) => {
      work.span?.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) work.span?.setStatus({ code: SpanStatusCode.ERROR })
      work.span?.end()
      done()
    })
  }

  /** Records a cached response that was sent without Fastify. */
  recordResponse(method: string, route: string, status: number, seconds: number, request: IncomingMessage): void {
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'scriptyard.cached': true,
    }
    const startTime = performance.timeOrigin + performance.now() - seconds * 1000
    const options = { kind: SpanKind.SERVER, attributes, startTime }
    this.#tracer.startSpan(`${method} ${route}`, options, this.#remoteContext(request)).end()
  }

  readonly runJob: RunJob = (name, run) => {
    const work: Work = { name: `job ${name}` }
    const span = this.#tracer.startSpan(work.name, { kind: SpanKind.CONSUMER }, ROOT_CONTEXT)
    work.span = span
    return currentWork.run(work, async () => {
      try {
        return await run()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  }

  onQuery(statement: string): (error?: unknown) => void {
    const parent = currentWork.getStore()?.span
    if (!parent?.isRecording()) return ignore
    const { operation, table } = this.#describe(statement)
    const name = table === undefined ? operation : `${operation} ${table}`
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': name,
      ...(table !== undefined && { 'db.collection.name': table }),
    }
    const span = this.#tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes },
      trace.setSpan(ROOT_CONTEXT, parent),
    )
    return (error) => {
      if (error) {
        const { code } = error as { code?: string }
        if (code !== undefined) span.setAttribute('db.response.status_code', code)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    }
  }

  onConnection(waitedMs: number): void {
    if (waitedMs < MIN_WAIT_MS) return
    currentWork.getStore()?.span?.addEvent('database connection acquired', { waited_ms: Math.round(waitedMs) })
  }

  /** Sends what is left, unless the collector takes too long. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)))
    await Promise.race([this.#provider.shutdown().catch(() => {}), timeout])
    clearTimeout(timer)
  }

  #describe(statement: string): Statement {
    let described = this.#statements.get(statement)
    if (!described) {
      described = describeStatement(statement)
      this.#statements.set(statement, described)
    }
    return described
  }

  #parentOf({ parent }: Work, request: IncomingMessage): Context {
    return parent?.span ? trace.setSpan(ROOT_CONTEXT, parent.span) : this.#remoteContext(request)
  }

  /** A client must not be able to force traces or to continue those of others. */
  #remoteContext({ headers, socket }: IncomingMessage): Context {
    const { traceparent } = headers
    if (typeof traceparent !== 'string' || !this.#isProxy(socket.remoteAddress ?? '')) return ROOT_CONTEXT
    const [, traceId, spanId, flags = '0'] = TRACE_PARENT.exec(traceparent) ?? []
    if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
    const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }

  #reportFailures(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          const now = performance.now()
          if (result.error && now - this.#reportedAt > REPORT_INTERVAL_MS) {
            this.#reportedAt = now
            this.#log?.warn({ reason: result.error.message }, 'traces not sent')
          }
          done(result)
        }),
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
      shutdown: () => exporter.shutdown(),
    }
  }
}

const ignore = () => {}
