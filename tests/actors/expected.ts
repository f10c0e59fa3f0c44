// What each operation answers each actor.
import { type OperationName, operations } from '#contract/operations.ts'
import { SAMPLES } from './operations.ts'
import { BY_ACCESS, narrow, type Statuses } from './rights.ts'
import type { Sample } from './sample.ts'

interface Right {
  /** Follows from the declared access of the operation. */
  expected: Statuses
  call: Sample['call']
}

const toRight = ([name, { access, except = {}, call }]: [string, Sample]): [string, Right] => {
  const byAccess = BY_ACCESS[access ?? operations[name as OperationName].access]
  return [name, { expected: narrow(byAccess, except), call }]
}

export const RIGHTS = Object.fromEntries(Object.entries(SAMPLES).map(toRight)) as Record<OperationName, Right>
