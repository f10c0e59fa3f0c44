import { kindOf, type Results } from './results.ts'
import type { FunctionNode } from './syntax.ts'
import { type Closure, isConstant, Union, Unknown } from './values.ts'

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

/** Calls with known arguments, with equal ones, and with unknown ones that look equal, until something else changes. */
const MAX_KNOWN_CALLS = 20_000
const MAX_EQUAL_CALLS = 200
const MAX_SIMILAR_CALLS = 2
/** Similar calls however much else changes. */
const MAX_CHANGED_CALLS = 30
const MAX_KINDS_OF_CALLS = 100
/** Limits once loops are no longer followed. */
const MAX_LATE_CALLS = 2
const MAX_LATE_KINDS = 4

/** What is known about calls of a function with arguments of the same kinds. */
export interface Calls {
  count: number
  /** Calls since something else changed last, and the generation of the state in which they began. */
  recent: number
  generation: number
  running: number
  /** Whether later calls get the results of earlier ones: those with known arguments do not. */
  hasStoredResult: boolean
  result: Results | undefined
  /** The range of the writes of the last one. */
  writes: readonly [from: number, to: number]
}

/** The state in which a call begins. */
interface Moment {
  isExhausted: boolean
  generation: number
  relevantGeneration: number
}

export type Decision = 'run' | 'similar' | 'too many'

/** Counts the calls of each function by the kinds of their arguments, to bound the work. */
export class CallCounts {
  readonly #calls = new Map<FunctionNode, { count: number; kinds: Map<string, Calls> }>()
  readonly #frames = new Map<object, number>()

  /** Counts a call and decides whether it may show something new. Fewer calls do once the analysis is exhausted. */
  decide(
    { fn, frame }: Closure,
    args: Results,
    { isExhausted, generation, relevantGeneration }: Moment,
  ): { calls: Calls; decision: Decision } {
    let all = this.#calls.get(fn)
    if (!all) this.#calls.set(fn, (all = { count: 0, kinds: new Map() }))
    all.count++
    const isKnown = args.rest === undefined && args.values.every(isConstant)
    const kind = isKnown ? '' : `${this.#numberOf(frame)} ${args.values.map((value) => kindOf(value)).join(' ')}`
    let calls = all.kinds.get(kind)
    if (!calls) {
      calls = {
        count: 0,
        recent: 0,
        generation,
        running: 0,
        hasStoredResult: !isKnown,
        result: undefined,
        writes: [0, 0],
      }
      all.kinds.set(kind, calls)
    }
    calls.count++
    const hasRelevantChange = calls.generation < relevantGeneration
    if (calls.generation !== generation && calls.running === 0) Object.assign(calls, { generation, recent: 0 })
    calls.recent++
    const decision = decide(calls, all.kinds.size, isKnown ? 'known' : kindOfArgs(args), isExhausted)
    return { calls, decision: decision === 'changed' ? (hasRelevantChange ? 'too many' : 'similar') : decision }
  }

  #numberOf(frame: object | undefined): number {
    if (!frame) return 0
    const known = this.#frames.get(frame) ?? this.#frames.size + 1
    this.#frames.set(frame, known)
    return known
  }
}

type ArgsKind = 'known' | 'equal' | 'unknown'

const kindOfArgs = ({ values, rest }: Results): ArgsKind =>
  rest === undefined && values.every((value) => !(value instanceof Unknown) && !(value instanceof Union))
    ? 'equal'
    : 'unknown'

function decide({ count, recent }: Calls, kinds: number, args: ArgsKind, isExhausted: boolean): Decision | 'changed' {
  if (isExhausted) return count <= MAX_LATE_CALLS && kinds <= MAX_LATE_KINDS ? 'run' : 'similar'
  if (args === 'known') return count <= MAX_KNOWN_CALLS ? 'run' : 'too many'
  if (kinds > MAX_KINDS_OF_CALLS) return 'too many'
  if (args === 'equal') return count <= MAX_EQUAL_CALLS ? 'run' : 'too many'
  if (recent <= MAX_SIMILAR_CALLS) return count <= MAX_CHANGED_CALLS ? 'run' : 'changed'
  return 'similar'
}
