// Runs a script without a game: known values are computed, both sides of an unknown condition are run and their effects
// joined, loops without a known end run twice, and each function runs at least once.
import { callLibrary } from './calls.ts'
import type { Findings, Site } from './findings.ts'
import { isExecutorGlobal, isRobloxGlobal } from './functions.ts'
import { CallCounts, LimitError, type Limits } from './limits.ts'
import { arithmetic } from './operators.ts'
import { joinResults, resultAt, type Results, results, unknownResults } from './results.ts'
import { readField, readIndex, writeIndex } from './indexing.ts'
import { rootInstance } from './instances.ts'
import { callMethod } from './roblox.ts'
import { Properties } from './properties.ts'
import { State } from './state.ts'
import { runBlock } from './statements.ts'
import type { Block, Call, Expression, FunctionNode, Target } from './syntax.ts'
import {
  Closure,
  concat,
  type Frame,
  frameAt,
  Instance,
  isConstant,
  join,
  Library,
  optionsOf,
  originOf,
  Table,
  textsOf,
  Union,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

const MAX_DEPTH = 180
/** Expressions between two looks at the clock. */
const CLOCK_STEPS = 256

/** Runs a parsed script on values that may be unknown, and records findings. Throws LimitError if it exceeds its limits. */
export class Interpreter {
  readonly findings: Findings
  readonly environment = new Table()
  readonly state = new State()
  readonly properties = new Properties(this.state)
  /** Files that the script has written, and what may be in a file whose name is not known. */
  readonly files = new Map<string, Value>()
  anyFile: Value = null
  /** Paths of functions that the script has tested for existence. */
  readonly tested = new Set<string>()
  /** Calls of `pcall` that run now and test whether functions exist. */
  attempts = 0
  /** The place of the code that runs: inside loaded text, the call that loads it. */
  site: Site | undefined
  readonly texts = new Map<string, FunctionNode>()
  /** Whether something waited or an unknown function ran since the innermost loop began its round. */
  hasWaited = false
  readonly yielded: Results[][] = []
  private steps = 0
  private evaluated = 0
  private readonly startedAt = process.threadCpuUsage()
  private depth = 0
  private readonly limits: Limits
  private readonly calls = new CallCounts()
  private readonly created = new Map<FunctionNode, Closure>()
  readonly visited = new WeakSet<Block>()
  /** Blocks that were run to their last statement. */
  readonly ended = new WeakSet<Block>()
  private readonly rests = new Map<Block, { from: number; frame: Frame }>()
  private readonly skipped = new Map<Block, Frame>()
  private deferred: { closure: Closure; args: Results }[] = []

  constructor(findings: Findings, limits: Limits) {
    this.findings = findings
    this.limits = limits
  }

  /** Runs a main function, then handlers, functions that nothing called, and branches that were not taken. */
  run(main: FunctionNode): void {
    this.callFunction(new Closure(main, undefined), unknownResults())
    this.runRest()
  }

  /** Remembers a function, so that it is run even if nothing calls it. */
  create(closure: Closure): Closure {
    if (!this.created.has(closure.fn)) this.created.set(closure.fn, closure)
    return closure
  }

  /** Whether loops are no longer followed. */
  get isExhausted(): boolean {
    return this.steps > this.limits.steps
  }

  /** Counts work that a library function does, in expressions. */
  addWork(steps: number): void {
    this.steps += Math.floor(steps)
  }

  private isOverTime(): boolean {
    const { user, system } = process.threadCpuUsage(this.startedAt)
    return user + system > this.limits.maxMs * 1000
  }

  /** Remembers a branch that known conditions rule out: they may be settings of the script. */
  skip(block: Block, frame: Frame): void {
    if (!this.visited.has(block)) this.skipped.set(block, frame)
  }

  /** Remembers the rest of a block that a known condition has left. */
  skipRest(block: Block, from: number, frame: Frame): void {
    const known = this.rests.get(block)
    if (!this.ended.has(block) && (!known || known.from < from)) this.rests.set(block, { from, frame })
  }

  /** Runs a function once the script has run, as the engine does with handlers. */
  defer(closure: Closure, args: Results = unknownResults()): void {
    if (this.deferred.length < 5_000) this.deferred.push({ closure, args })
  }

  private runRest(): void {
    for (let round = 0; round < 50; round++) {
      const handlers = this.deferred
      this.deferred = []
      for (const { closure, args } of handlers) this.inBranch(() => this.callFunction(closure, args))
      const uncalled = [...this.created.values()].filter(({ fn }) => !this.calls.has(fn))
      for (const closure of uncalled) {
        if (!this.calls.has(closure.fn)) this.inBranch(() => this.callFunction(closure, unknownResults()))
      }
      const blocks = [...this.skipped].filter(([block]) => !this.visited.has(block))
      this.skipped.clear()
      for (const [block, { from, frame }] of this.rests)
        if (!this.ended.has(block)) {
          this.ended.add(block)
          blocks.push([block.slice(from), frame])
        }
      this.rests.clear()
      for (const [block, frame] of blocks) this.inBranch(() => runBlock(this, block, frame))
      if (handlers.length + uncalled.length + blocks.length === 0) return
    }
  }

  private inBranch(run: () => unknown): void {
    this.state.runBranches([() => (run(), 'next'), () => 'next'])
  }

  assign(target: Target, value: Value, frame: Frame): void {
    if (target.kind === 'local') this.state.setSlot(frameAt(frame, target.hops), target.slot, value)
    else if (target.kind === 'global') this.state.setField(this.environment, target.name, value)
    else {
      const { line } = this.site ?? target
      this.setIndex(this.evaluate(target.object, frame), this.evaluate(target.key, frame), value, line)
    }
  }

  setIndex(object: Value, key: Value, value: Value, line: number): void {
    writeIndex(this, object, key, value, line)
  }

  /** A function that goes to code that is not known may be called by it. */
  useElsewhere(value: Value): void {
    for (const option of optionsOf(value)) {
      if (option instanceof Closure) this.defer(option)
      if (option instanceof Table)
        for (const entry of option.entries.values()) if (entry instanceof Closure) this.defer(entry)
    }
  }

  list(expressions: Expression[], frame: Frame): Results {
    const last = expressions.at(-1)
    if (!last) return { values: [], rest: undefined }
    if (expressions.length === 1) return this.multiple(last, frame)
    const values: Value[] = []
    for (let index = 0; index < expressions.length - 1; index++)
      values.push(this.evaluate(expressions[index] as Expression, frame))
    const { values: more, rest } = this.multiple(last, frame)
    for (const value of more) values.push(value)
    return { values, rest }
  }

  private multiple(expression: Expression, frame: Frame): Results {
    if (expression.kind === 'call') return this.callExpression(expression, frame)
    if (expression.kind === 'varargs') {
      return { values: frame.varargs, rest: frame.hasMoreVarargs ? UNKNOWN : undefined }
    }
    return results(this.evaluate(expression, frame))
  }

  evaluate(expression: Expression, frame: Frame): Value {
    if (++this.steps > this.limits.maxSteps || (++this.evaluated % CLOCK_STEPS === 0 && this.isOverTime())) {
      throw new LimitError('The script is too large to be followed.')
    }
    switch (expression.kind) {
      case 'constant':
        return expression.value
      case 'local':
        return frameAt(frame, expression.hops).slots[expression.slot] ?? null
      case 'global':
        return this.global(expression.name)
      case 'varargs':
      case 'call':
        return resultAt(this.multiple(expression, frame), 0)
      case 'single':
        return this.evaluate(expression.operand, frame)
      case 'function':
        return this.create(new Closure(expression.fn, frame, this.site))
      case 'table':
        return this.table(expression, frame)
      case 'concat': {
        const value = concat(expression.parts.map((part) => this.evaluate(part, frame)))
        for (const text of textsOf(value)) this.addWork(text.length / 50)
        this.findings.recordText(value, this.site?.line ?? expression.line)
        return value
      }
      case 'index':
        return this.index(this.evaluate(expression.object, frame), this.evaluate(expression.key, frame))
      case 'logical':
        return this.logical(expression, frame)
      case 'not': {
        const truth = this.truth(this.evaluate(expression.operand, frame))
        return truth === undefined ? UNKNOWN : !truth
      }
      case 'minus':
        return arithmetic('-', 0, this.evaluate(expression.operand, frame))
      case 'length': {
        const value = this.evaluate(expression.operand, frame)
        if (typeof value === 'string') return value.length
        return value instanceof Table && value.other === undefined ? value.length : UNKNOWN
      }
      case 'arithmetic': {
        const [left, right] = [this.evaluate(expression.left, frame), this.evaluate(expression.right, frame)]
        if (left === null || right === null) {
          const other = left ?? right
          if (other !== null && !isConstant(other)) this.truth(other)
        }
        return arithmetic(expression.operator, left, right)
      }
      case 'conditional':
        return this.conditional(expression.clauses, expression.otherwise, frame)
    }
  }

  private conditional(
    clauses: { condition: Expression; value: Expression }[],
    otherwise: Expression,
    frame: Frame,
  ): Value {
    const [clause, ...rest] = clauses
    if (!clause) return this.evaluate(otherwise, frame)
    const truth = this.truth(this.evaluate(clause.condition, frame))
    const [one, two] = [() => this.evaluate(clause.value, frame), () => this.conditional(rest, otherwise, frame)]
    if (truth !== undefined) return truth ? one() : two()
    return join(one(), two())
  }

  private logical({ operator, left, right }: Extract<Expression, { kind: 'logical' }>, frame: Frame): Value {
    const first = this.evaluate(left, frame)
    const truth = this.truth(first)
    if (truth !== undefined) return (operator === 'and') === truth ? this.evaluate(right, frame) : first
    const remaining = optionsOf(first).filter((option) => this.truth(option) !== (operator === 'and'))
    const second = this.evaluate(right, frame)
    // The left side of `and` only counts if it is false or nil, which no caller wants.
    if (operator === 'and') return second
    return remaining.reduce<Value>((joined, option) => join(joined, option), second)
  }

  /** Whether a value counts as true; undefined if that is not known. Remembers which functions are tested. */
  truth(value: Value): boolean | undefined {
    if (isConstant(value)) return value !== null && value !== false
    if (value instanceof Table || value instanceof Closure) return true
    if (value instanceof Library) {
      this.tested.add(value.path)
      return isExecutorGlobal(value.path.split('.')[0] ?? '') ? undefined : true
    }
    if (value instanceof Union) {
      const truths = value.options.map((option) => this.truth(option))
      return truths.every((truth) => truth === truths[0]) ? truths[0] : undefined
    }
    return undefined
  }

  private table({ items }: Extract<Expression, { kind: 'table' }>, frame: Frame): Table {
    const table = new Table()
    table.branch = this.state.branch
    let next = 1
    for (const [index, { key, value }] of items.entries()) {
      if (key) this.setIndex(table, this.evaluate(key, frame), this.evaluate(value, frame), key.line)
      else if (index === items.length - 1) {
        const last = this.multiple(value, frame)
        for (const one of last.values) this.state.setField(table, next++, one)
        if (last.rest !== undefined) table.other = last.rest
      } else this.state.setField(table, next++, this.evaluate(value, frame))
    }
    return table
  }

  global(name: string): Value {
    const known = this.environment.entries.get(name)
    if (known !== undefined) return known
    if (name === '_G' || name === 'shared' || name === '_ENV') return this.environment
    const root = rootInstance(name)
    if (root) return root
    return isRobloxGlobal(name) || isExecutorGlobal(name)
      ? new Library(name)
      : new Unknown(0, undefined, `global ${name}`)
  }

  index(object: Value, key: Value): Value {
    return readIndex(this, object, key)
  }

  private callExpression(expression: Call, frame: Frame): Results {
    const site = this.site ?? expression
    const callee = this.evaluate(expression.callee, frame)
    const args = this.list(expression.args, frame)
    if (expression.method === undefined) return this.call(callee, args, site)
    return this.callMember(callee, expression.method, args, site)
  }

  callMember(object: Value, name: string, args: Results, site: Site): Results {
    return this.callOptions(object, (option) => {
      const all = { values: [option, ...args.values], rest: args.rest }
      if (option instanceof Table) {
        const member = readField(this, option, name)
        return member === null ? this.callUnknown(args) : this.call(member, all, site)
      }
      if (typeof option === 'string') return this.call(new Library(`string.${name}`), all, site)
      if (option instanceof Library) return this.call(new Library(`${option.path}.${name}`), args, site)
      if (option instanceof Instance || option instanceof Unknown) return callMethod(this, option, name, args, site)
      return this.callUnknown(args)
    })
  }

  call(callee: Value, args: Results, site: Site): Results {
    return this.callOptions(callee, (option) => {
      if (option instanceof Closure) return this.callFunction(option, args)
      if (option instanceof Library) return callLibrary(this, option, args, site)
      if (option instanceof Instance && option.owner) {
        // A method that was taken out of its object: `local get = game.HttpGet`.
        return callMethod(this, option.owner, option.name, { values: args.values.slice(1), rest: args.rest }, site)
      }
      if (option instanceof Table && option.metatable) {
        const method = option.metatable.entries.get('__call')
        if (method instanceof Closure) {
          return this.callFunction(method, { values: [option, ...args.values], rest: args.rest })
        }
      }
      return this.callUnknown(args, option)
    })
  }

  private callOptions(value: Value, call: (option: Exclude<Value, Union>) => Results): Results {
    const options = optionsOf(value)
    const callable = options.length > 1 ? options.filter((option) => option !== null) : options
    const all = callable.map((option) => call(option))
    return all.length === 1 && all[0] ? all[0] : joinResults(all)
  }

  /** A call of a function that is not known: it may call the functions it gets. */
  callUnknown(args: Results, callee?: Value): Results {
    this.hasWaited = true
    for (const value of args.values) this.useElsewhere(value)
    for (const value of args.values) this.findings.recordArgument(value, this.site?.line)
    const origin = args.values.reduce((bits: number, value) => bits | originOf(value), 0)
    const from = callee instanceof Unknown ? callee.origin : 0
    return unknownResults(new Unknown(origin | from, undefined, callee instanceof Unknown ? callee.made : ''))
  }

  callFunction(closure: Closure, args: Results): Results {
    const { fn } = closure
    if (this.depth >= MAX_DEPTH || !this.calls.isNew(fn, args, this.isExhausted)) {
      return unknownResults(new Unknown(args.values.reduce((bits: number, one) => bits | originOf(one), 0)))
    }
    const slots: Value[] = Array.from({ length: fn.slots }, () => null)
    for (const [index, slot] of fn.params.entries()) slots[slot] = resultAt(args, index)
    const frame: Frame = {
      slots,
      branch: this.state.branch,
      parent: closure.frame,
      varargs: args.values.slice(fn.params.length),
      hasMoreVarargs: args.rest !== undefined,
      returned: [],
    }
    const outer = this.site
    this.site = closure.site
    this.depth++
    this.yielded.push([])
    runBlock(this, fn.body, frame)
    this.depth--
    this.site = outer
    const yielded = this.yielded.pop() ?? []
    return joinResults(yielded.length > 0 ? [...yielded, ...frame.returned] : frame.returned)
  }
}
