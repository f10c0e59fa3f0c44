import type { Metrics } from '#server/operations/metrics/metrics.ts'
import type { Tracing } from '#server/operations/tracing/tracing.ts'

/** One function, because every cached response calls it. */
export function combineRecorders(metrics?: Metrics, tracing?: Tracing): Tracing['recordResponse'] | undefined {
  if (!metrics && !tracing) return undefined
  return (method, route, status, seconds, request) => {
    metrics?.recordResponse(method, route, status, seconds)
    tracing?.recordResponse(method, route, status, seconds, request)
  }
}
