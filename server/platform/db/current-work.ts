import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** A request or a job, for log lines and traces of what it does. */
export interface Work {
  /** Method and pattern of a route, such as `GET /api/v1/scripts/:slug`, or `job` and a name. */
  name: string
  /** The page whose rendering sends this request. */
  parent?: Work | undefined
  span?: Span
}

export const currentWork = new AsyncLocalStorage<Work>()

export type RunJob = <T>(name: string, run: () => Promise<T>) => Promise<T>

export const runJob: RunJob = (name, run) => currentWork.run({ name: `job ${name}` }, run)
