// Runs a script without a game: known values are computed, both sides of an unknown condition are run and their effects
// joined, loops without a known end run twice, and each function runs at least once.
import { callMember, callValue } from './calling.ts'
import type { Findings, Site } from './findings.ts'
import { isExecutorGlobal, isRobloxGlobal } from './functions.ts'
import { readIndex, writeIndex } from './indexing.ts'
import { rootInstance } from './instances.ts'
import { CallCounts, LimitError, type Limits } from './limits.ts'
import { concatAll, lengthOf, operate } from './operators.ts'
import { ORIGIN } from './origins.ts'
import { Properties } from './properties.ts'
import { joinResults, resultAt, type Results, results, unknownResults } from './results.ts'
import type { Run } from './run.ts'
import { Schedule } from './schedule.ts'
import { State } from './state.ts'
import { runBlock } from './statements.ts'
import type { Call, Expression, FunctionNode, Target } from './syntax.ts'
import { UNRESOLVED } from './unresolved.ts'
import {
  Closure,
  Environment,
  type Frame,
  frameAt,
  isConstant,
  join,
  Library,
  optionsOf,
  originsOf,
  Table,
  textsOf,
  Thread,
  Union,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

const MAX_DEPTH = 180
/** Expressions between two looks at the clock. */
const CLOCK_STEPS = 256

/** Runs a parsed script on values that may be unknown, and records findings. Throws LimitError if it exceeds its limits. */
export class Interpreter implements Run {
  readonly findings: Findings
  readonly environment = new Environment()
  readonly environments: Table[] = []
  readonly state = new State()
  readonly properties = new Properties(this.state)
  readonly schedule = new Schedule(this)
  readonly files = new Map<string, Value>()
  anyFile: Value = null
  clipboard: Value = null
  readonly tested = new Set<string>()
  readonly replaced = new Map<string | FunctionNode, Value>()
  passed = 0
  attempts = 0
  site: Site | undefined
  readonly texts = new Map<string, FunctionNode>()
  hasWaited = false
  readonly yielded: Results[][] = []
  readonly resumed: Results[] = []
  thrown: Value[] = []
  private steps = 0
  private evaluated = 0
  private readonly startedAt = process.threadCpuUsage()
  private depth = 0
  private readonly limits: Limits
  private readonly calls = new CallCounts()

  constructor(findings: Findings, limits: Limits) {
    this.findings = findings
    this.limits = limits
  }

  /** Runs a main function, then handlers, functions that nothing called, and branches that were not taken. */
  run(main: FunctionNode): void {
    this.callFunction(new Closure(main, undefined), unknownResults())
    this.schedule.runRest()
  }

  create(closure: Closure): Closure {
    this.schedule.create(closure)
    return closure
  }

  get isExhausted(): boolean {
    return this.steps > this.limits.steps
  }

  addWork(steps: number): void {
    this.steps += Math.floor(steps)
  }

  private isOverTime(): boolean {
    const { user, system } = process.threadCpuUsage(this.startedAt)
    return user + system > this.limits.maxMs * 1000
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

  useElsewhere(value: Value, args: Results = unknownResults()): void {
    for (const option of optionsOf(value)) {
      if (option instanceof Closure || option instanceof Thread) this.schedule.defer(option, args)
      if (option instanceof Table)
        for (const entry of option.entries.values()) if (entry instanceof Closure) this.schedule.defer(entry, args)
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
        const parts = expression.parts.map((part) => this.evaluate(part, frame))
        const value = concatAll(this, parts, this.site ?? { line: expression.line, endLine: expression.line })
        for (const text of textsOf(value)) this.addWork(text.length / 50)
        this.findings.recordText(value, this.site?.line ?? expression.line)
        return value
      }
      case 'index':
        return this.indexExpression(expression, frame)
      case 'logical':
        return this.logical(expression, frame)
      case 'not': {
        const truth = this.truth(this.evaluate(expression.operand, frame))
        return truth === undefined ? UNKNOWN : !truth
      }
      case 'minus':
        return operate(this, '-', 0, this.evaluate(expression.operand, frame), expression.line)
      case 'length':
        return lengthOf(this, this.evaluate(expression.operand, frame), expression.line)
      case 'arithmetic': {
        const [left, right] = [this.evaluate(expression.left, frame), this.evaluate(expression.right, frame)]
        if (left === null || right === null) {
          const operand = left ?? right
          if (operand !== null && !isConstant(operand)) this.truth(operand)
        }
        return operate(this, expression.operator, left, right, expression.line)
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
    const [whenTrue, whenFalse] = [
      () => this.evaluate(clause.value, frame),
      () => this.conditional(rest, otherwise, frame),
    ]
    if (truth !== undefined) return truth ? whenTrue() : whenFalse()
    return join(whenTrue(), whenFalse())
  }

  private logical({ operator, left, right }: Extract<Expression, { kind: 'logical' }>, frame: Frame): Value {
    const first = this.evaluate(left, frame)
    const truth = this.truth(first)
    if (truth !== undefined) return (operator === 'and') === truth ? this.evaluate(right, frame) : first
    const remaining = optionsOf(first).filter((option) => this.truth(option) !== (operator === 'and'))
    const second = this.evaluate(right, frame)
    // What is false or nil is no text or function: only that it is false matters.
    if (operator === 'and') return join(second, null)
    return remaining.reduce<Value>((joined, option) => join(joined, option), second)
  }

  private indexExpression({ object, key }: Extract<Expression, { kind: 'index' }>, frame: Frame): Value {
    const [owner, name] = [this.evaluate(object, frame), this.evaluate(key, frame)]
    const value = this.index(owner, name)
    // A global that is named by a text which the script puts together.
    const isHidden = owner instanceof Environment && key.kind !== 'constant' && value instanceof Unknown
    return isHidden ? new Unknown(value.origin | ORIGIN.hidden, undefined, value.madeBy) : value
  }

  truth(value: Value): boolean | undefined {
    if (isConstant(value)) return value !== null && value !== false
    if (value instanceof Table || value instanceof Closure || value instanceof Thread) return true
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
    table.born = this.state.position
    let next = 1
    for (const [index, { key, value }] of items.entries()) {
      if (key) this.setIndex(table, this.evaluate(key, frame), this.evaluate(value, frame), key.line)
      else if (index === items.length - 1) {
        const last = this.multiple(value, frame)
        for (const element of last.values) this.state.setField(table, next++, element)
        if (last.rest !== undefined) table.other = last.rest
      } else this.state.setField(table, next++, this.evaluate(value, frame))
    }
    return table
  }

  global(name: string): Value {
    const known = this.environment.entries.get(name)
    if (known !== undefined) return known
    const others: Value[] = this.environments.map((table) => this.index(table, name)).filter((one) => one !== null)
    if (this.environment.other !== undefined) others.push(this.environment.other)
    const own = this.builtIn(name)
    return own instanceof Unknown && others.length > 0 ? others.reduce(join) : [...others, own].reduce(join)
  }

  private builtIn(name: string): Value {
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
    return callMember(this, callee, expression.method, args, site)
  }

  call(callee: Value, args: Results, site: Site): Results {
    return callValue(this, callee, args, site)
  }

  replacementOf(value: Value): Value | undefined {
    if (this.replaced.size === 0) return undefined
    const key = value instanceof Library ? value.path : value instanceof Closure ? value.fn : undefined
    return key === undefined ? undefined : this.replaced.get(key)
  }

  callFunction(closure: Closure, args: Results): Results {
    this.schedule.recordCall(closure)
    const { fn } = closure
    const { isExhausted } = this
    const { generation, relevantGeneration } = this.state
    const { calls, decision } = this.calls.decide(closure, args, { isExhausted, generation, relevantGeneration })
    if (this.depth >= MAX_DEPTH || decision !== 'run') {
      if (this.depth >= MAX_DEPTH) this.findings.addOpaque(UNRESOLVED.depth)
      else if (isExhausted || decision === 'too many')
        this.findings.addOpaque(UNRESOLVED.calls, { line: fn.line, endLine: fn.line })
      if (calls.running === 0) this.state.widen(...calls.writes)
      const unknown = unknownResults(new Unknown(originsOf(args.values)))
      return calls.result ? joinResults([calls.result, unknown]) : unknown
    }
    const from = this.state.position
    calls.running++
    const returned = this.runFunction(closure, args)
    calls.running--
    calls.writes = [from, this.state.position]
    if (calls.hasStoredResult) calls.result = calls.result ? joinResults([calls.result, returned]) : returned
    return returned
  }

  private runFunction({ fn, frame: parent, site }: Closure, args: Results): Results {
    const slots: Value[] = Array.from({ length: fn.slots }, () => null)
    for (const [index, slot] of fn.params.entries()) slots[slot] = resultAt(args, index)
    const { state } = this
    const frame: Frame = {
      slots,
      born: state.position,
      branch: state.branch,
      parent,
      varargs: args.values.slice(fn.params.length),
      hasMoreVarargs: args.rest !== undefined,
      returned: [],
    }
    const outer = { site: this.site, frame: state.frame, leftAt: state.leftAt }
    state.leftAt = undefined
    this.site = site
    state.frame = frame
    this.depth++
    this.yielded.push([])
    const outcome = runBlock(this, fn.body, frame)
    this.depth--
    state.joinSinceLeft()
    Object.assign(state, { frame: outer.frame, leftAt: outer.leftAt })
    this.site = outer.site
    const yielded = this.yielded.pop() ?? []
    const { returned } = frame
    if (returned.length > 0 && outcome !== 'return') returned.push(results())
    return joinResults(yielded.length > 0 ? [...yielded, ...returned] : returned)
  }
}
