import type { Site } from './findings.ts'
import { findRule, isExecutorGlobal } from './functions.ts'
import type { Run } from './run.ts'
import type { Library } from './values.ts'

/** Whether only executors have it: a function that we know, or another one of a table of theirs. */
const isExecutorFunction = (path: string): boolean =>
  findRule(path)?.isExecutor === true || (path.includes('.') && isExecutorGlobal(path.split('.')[0] ?? ''))

/** Records a function that the script needs and does not test. */
export function recordExecutor(run: Run, { path }: Library, site: Site): void {
  if (!isExecutorFunction(path) || run.attempts > 0 || run.tested.has(path)) return
  const table = path.split('.')[0] ?? ''
  if (table !== path && table !== 'debug' && run.tested.has(table)) return
  run.findings.add('needs.executor', 'code', site, path)
}
