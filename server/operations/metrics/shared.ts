import { AggregatorRegistry } from 'prom-client'
import { Metrics } from './metrics.ts'

/** Metrics of a worker process, which the primary asks for over their channel. */
export function openSharedMetrics(): Metrics {
  const metrics = new Metrics()
  AggregatorRegistry.setRegistries([metrics.registry])
  // Its constructor listens for the primary's requests.
  void new AggregatorRegistry()
  return metrics
}

/** Returns a function for the primary that adds up the metrics of all workers. Rejects if one does not answer within 5 s. */
export function collectFromWorkers(): () => Promise<string> {
  const registry = new AggregatorRegistry()
  return () => registry.clusterMetrics()
}
