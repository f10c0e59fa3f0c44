import { kindOf, type Results } from './results.ts'
import type { FunctionNode } from './syntax.ts'
import { isConstant } from './values.ts'

export interface Limits {
  /** Expressions after which loops are no longer followed. */
  steps: number
  /** Expressions after which the analysis ends. */
  maxSteps: number
  /** Processor time after which it ends, for work that the steps underestimate, in ms. */
  maxMs: number
}

/** Ends the analysis of a script that is too large to be followed. */
export class LimitError extends Error {}

const MAX_KNOWN_CALLS = 20_000
const MAX_EQUAL_CALLS = 2
const MAX_KINDS_OF_CALLS = 50

/** Counts the calls of each function by the kinds of their arguments, to bound the work. */
export class CallCounts {
  readonly #calls = new Map<FunctionNode, { count: number; kinds: Map<string, number> }>()

  has(fn: FunctionNode): boolean {
    return this.#calls.has(fn)
  }

  /** Counts a call and returns whether it may show something new. Fewer calls do once the analysis is exhausted. */
  isNew(fn: FunctionNode, args: Results, isExhausted: boolean): boolean {
    let calls = this.#calls.get(fn)
    if (!calls) this.#calls.set(fn, (calls = { count: 0, kinds: new Map() }))
    calls.count++
    if (args.rest === undefined && args.values.every(isConstant)) {
      return calls.count <= (isExhausted ? 2 : MAX_KNOWN_CALLS)
    }
    const kind = args.values.map(kindOf).join(' ')
    const count = (calls.kinds.get(kind) ?? 0) + 1
    calls.kinds.set(kind, count)
    return count <= (isExhausted ? 1 : MAX_EQUAL_CALLS) && calls.kinds.size <= (isExhausted ? 4 : MAX_KINDS_OF_CALLS)
  }
}
