import type { Findings, Site } from './findings.ts'
import type { Properties } from './properties.ts'
import type { Results } from './results.ts'
import type { State } from './state.ts'
import type { Block, Expression, FunctionNode, Target } from './syntax.ts'
import type { Closure, Environment, Frame, Table, Value } from './values.ts'

/** What runs after the script or at the end: handlers, functions that nothing called, and branches that were not taken. */
export interface Later {
  /** Blocks that were run at least in part. */
  readonly visited: WeakSet<Block>
  /** Blocks that were run to their last statement. */
  readonly ended: WeakSet<Block>
  /** Remembers a branch that known conditions rule out: they may be settings of the script. */
  skip(block: Block, frame: Frame): void
  /** Remembers the rest of a block that a known condition has left. */
  skipRest(block: Block, from: number, frame: Frame): void
  /** Runs a function once the script waits or ends, as the engine does with handlers. */
  defer(callee: Value, args?: Results | (() => Results), site?: Site): void
  /** Runs what was deferred: the script waits. */
  flush(): void
}

/** One run of a script, as the rules for statements, operators and calls see it. */
export interface Run {
  readonly findings: Findings
  readonly environment: Environment
  /** Tables that `setfenv` has made the environment of functions. */
  readonly environments: Table[]
  readonly state: State
  readonly properties: Properties
  readonly schedule: Later
  /** Files that the script has written, and what may be in a file whose name is not known. */
  readonly files: Map<string, Value>
  anyFile: Value
  clipboard: Value
  /** Paths of functions that the script has tested for existence. */
  readonly tested: Set<string>
  /** Functions that the script puts in the place of others, by path or function. */
  readonly replaced: Map<string | FunctionNode, Value>
  /** Origins of what the script passes through events of its own. */
  passed: number
  /** Calls of `pcall` that run now and test whether functions exist. */
  attempts: number
  /** The place of the code that runs: inside loaded text, the call that loads it. */
  site: Site | undefined
  /** Functions of the texts that the script loads. */
  readonly texts: Map<string, FunctionNode>
  /** Whether something waited or an unknown function ran since the innermost loop began its round. */
  hasWaited: boolean
  readonly yielded: Results[][]
  /** What the coroutines that run were resumed with. */
  readonly resumed: Results[]
  /** Errors that the function in the innermost `pcall` throws. */
  thrown: Value[]
  /** Whether loops are no longer followed. */
  readonly isExhausted: boolean
  /** Counts work that a library function does, in expressions. */
  addWork(steps: number): void
  /** Remembers a function, so that it is run even if nothing calls it. */
  create(closure: Closure): Closure
  assign(target: Target, value: Value, frame: Frame): void
  evaluate(expression: Expression, frame: Frame): Value
  list(expressions: Expression[], frame: Frame): Results
  /** Whether a value counts as true; undefined if that is not known. Remembers which functions are tested. */
  truth(value: Value): boolean | undefined
  global(name: string): Value
  index(object: Value, key: Value): Value
  setIndex(object: Value, key: Value, value: Value, line: number): void
  call(callee: Value, args: Results, site: Site): Results
  callFunction(closure: Closure, args: Results): Results
  /** What the script has put in the place of a function. */
  replacementOf(value: Value): Value | undefined
  /** A function that goes to code that is not known may be called by it. */
  useElsewhere(value: Value, args?: Results): void
}
