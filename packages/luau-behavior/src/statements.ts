import type { Site } from './findings.ts'
import { elementOf } from './indexing.ts'
import type { Run } from './run.ts'
import { metamethod } from './operators.ts'
import { ORIGIN } from './origins.ts'
import { resultAt, type Results, results } from './results.ts'
import type { Outcome } from './state.ts'
import type { Block, Expression, Statement } from './syntax.ts'
import { UNRESOLVED } from './unresolved.ts'
import {
  Closure,
  Environment,
  type Frame,
  join,
  Library,
  optionsOf,
  originsOf,
  Table,
  Thread,
  Unknown,
  UNKNOWN,
  unknownOf,
  type Value,
} from './values.ts'

/** Rounds of a loop that waits, calls unknown functions or has an unknown end, and of one through known values. */
const MAX_ROUNDS = 2
const MAX_KNOWN_ROUNDS = 40

export function runBlock(run: Run, block: Block, frame: Frame): Outcome {
  run.schedule.visited.add(block)
  for (let index = 0; index < block.length; index++) {
    const outcome = runStatement(run, block[index] as Statement, frame)
    if (outcome === 'next') continue
    // A condition inside has ended the block: what follows is run in the end.
    if (index < block.length - 1) run.schedule.skipRest(block, index + 1, frame)
    return outcome
  }
  run.schedule.ended.add(block)
  return 'next'
}

function runStatement(run: Run, statement: Statement, frame: Frame): Outcome {
  switch (statement.kind) {
    case 'assign': {
      const { values, rest } = run.list(statement.values, frame)
      for (const [index, target] of statement.targets.entries())
        run.assign(target, values[index] ?? rest ?? null, frame)
      return 'next'
    }
    case 'call':
      run.evaluate(statement.call, frame)
      return 'next'
    case 'do':
      return runBlock(run, statement.body, frame)
    case 'if':
      return choose(run, statement.clauses, statement.otherwise, frame)
    case 'while':
      return loop(run, frame, {
        body: statement.body,
        line: statement.line,
        shouldRun: () => run.truth(run.evaluate(statement.condition, frame)),
      })
    case 'repeat': {
      let isFirst = true
      const shouldRun = () => {
        if (isFirst) {
          isFirst = false
          return true
        }
        const isDone = run.truth(run.evaluate(statement.condition, frame))
        return isDone === undefined ? undefined : !isDone
      }
      return loop(run, frame, { body: statement.body, line: statement.line, shouldRun })
    }
    case 'count':
      return count(run, statement, frame)
    case 'each':
      return each(run, statement, frame)
    case 'return':
      frame.returned.push(run.list(statement.values, frame))
      return 'return'
    case 'break':
    case 'continue':
      return statement.kind
  }
}

function choose(
  run: Run,
  [clause, ...rest]: { condition: Expression; body: Block }[],
  otherwise: Block | undefined,
  frame: Frame,
): Outcome {
  if (!clause) return otherwise ? runBlock(run, otherwise, frame) : 'next'
  const truth = run.truth(run.evaluate(clause.condition, frame))
  if (truth === true) {
    for (const { body } of rest) run.schedule.skip(body, frame)
    if (otherwise) run.schedule.skip(otherwise, frame)
    return runBlock(run, clause.body, frame)
  }
  if (truth === false) {
    run.schedule.skip(clause.body, frame)
    return choose(run, rest, otherwise, frame)
  }
  return run.state.runBranches([() => runBlock(run, clause.body, frame), () => choose(run, rest, otherwise, frame)])
}

interface Loop {
  body: Block
  line: number
  /** Whether the next round begins; undefined if that is not known. Sets the variables of the loop. */
  shouldRun: () => boolean | undefined
  /** Sets the variables of the loop to what they may be in all further rounds. */
  forget?: () => void
  maxRounds?: number
}

/** Runs a loop: exactly if all is known and computed, else a few rounds and one for all others. */
function loop(run: Run, frame: Frame, { body, line, shouldRun, forget, maxRounds = MAX_ROUNDS }: Loop): Outcome {
  const { state } = run
  const outer = { hasWaited: run.hasWaited, isUnsure: state.isUnsure, leftAt: state.leftAt }
  state.leftAt = undefined
  run.hasWaited = false
  state.isUnsure = false
  const start = state.position
  let outcome: Outcome = 'next'
  for (let round = 0; ; round++) {
    const isAbstract = run.hasWaited || state.isUnsure
    const isLast = round > 0 && ((isAbstract && round >= maxRounds - 1) || (run.isExhausted && round >= MAX_ROUNDS - 1))
    const truth = shouldRun()
    if (truth === false) {
      run.schedule.skip(body, frame)
      break
    }
    if (isLast) {
      if (!isAbstract) run.findings.addOpaque(UNRESOLVED.loop, run.site ?? { line, endLine: line })
      state.widen(start)
      forget?.()
      outcome = runFurtherRounds(run, body, frame, line)
      break
    }
    if (truth === undefined) {
      state.isUnsure = true
      outcome = state.runBranches([() => runBlock(run, body, frame), () => 'next'])
    } else outcome = runBlock(run, body, frame)
    if (outcome === 'break' || outcome === 'return') break
  }
  state.joinSinceLeft()
  // A branch may have left the function too.
  state.leftAt = outer.leftAt ?? state.leftAt
  run.hasWaited ||= outer.hasWaited
  state.isUnsure = outer.isUnsure
  return outcome === 'return' ? 'return' : 'next'
}

const MAX_FURTHER_ROUNDS = 4

/** Runs all further rounds as one, and again while functions pass from variable to variable. */
function runFurtherRounds(run: Run, body: Block, frame: Frame, line: number): Outcome {
  const { state } = run
  let outcome: Outcome = 'next'
  for (let round = 0; round < MAX_FURTHER_ROUNDS; round++) {
    const { position } = state
    outcome = state.runBranches([() => runBlock(run, body, frame), () => 'next'])
    if (!state.widen(position)) return outcome
  }
  run.findings.addOpaque(UNRESOLVED.loop, run.site ?? { line, endLine: line })
  return outcome
}

function count(
  run: Run,
  { slot, from, to, step, body, line }: Extract<Statement, { kind: 'count' }>,
  frame: Frame,
): Outcome {
  const [start, end] = [run.evaluate(from, frame), run.evaluate(to, frame)]
  const by = step ? run.evaluate(step, frame) : 1
  const isKnown = typeof start === 'number' && typeof end === 'number' && typeof by === 'number' && by !== 0
  const anyOf = unknownOf(originsOf([start, end, by]))
  const forget = () => run.state.setSlot(frame, slot, anyOf)
  if (!isKnown) {
    let round = 0
    const shouldRun = () => {
      forget()
      return round++ < MAX_ROUNDS ? undefined : false
    }
    return loop(run, frame, { body, line, shouldRun })
  }
  let value = start
  const shouldRun = () => {
    const isIn = by > 0 ? value <= end : value >= end
    run.state.setSlot(frame, slot, value)
    value += by
    return isIn
  }
  return loop(run, frame, { body, line, shouldRun, forget, maxRounds: MAX_KNOWN_ROUNDS })
}

function each(run: Run, { slots, iterators, body, line }: Extract<Statement, { kind: 'each' }>, frame: Frame): Outcome {
  const list = withIterator(run, run.list(iterators, frame), run.site ?? { line, endLine: line })
  const setSlots = (row: readonly Value[] | undefined, missing: Value) => {
    for (const [index, slot] of slots.entries()) run.state.setSlot(frame, slot, row?.[index] ?? missing)
  }
  const [first = null] = list.values
  if (isCallable(first)) return eachCall(run, list, { body, line, frame, setSlots })
  const { known, further } = rowsOf(list)
  let round = 0
  const shouldRun = () => {
    const row = known[round] ?? further
    const isKnown = round < known.length
    round++
    setSlots(row, isKnown ? null : UNKNOWN)
    if (isKnown) return true
    return further !== undefined && round <= known.length + MAX_ROUNDS ? undefined : false
  }
  /** All further rows at once. */
  const forget = () => {
    const rows = [...known.slice(round - 1), ...(further ? [further] : [])]
    setSlots(
      slots.map((_slot, index) => rows.map((row) => row[index] ?? null).reduce(join, UNKNOWN)),
      UNKNOWN,
    )
  }
  const maxRounds = known.length > 0 ? MAX_KNOWN_ROUNDS : MAX_ROUNDS
  return loop(run, frame, { body, line, shouldRun, forget, maxRounds })
}

/** What `__iter` of a table returns, else the list itself. */
function withIterator(run: Run, list: Results, site: Site): Results {
  const [first = null] = list.values
  const method = metamethod(first, '__iter')
  return method === undefined ? list : run.call(method, results(first), site)
}

const isCallable = (value: Value): boolean =>
  value instanceof Closure || value instanceof Thread || metamethod(value, '__call') !== undefined

interface Rounds {
  body: Block
  line: number
  frame: Frame
  setSlots: (row: readonly Value[], missing: Value) => void
}

/** A loop over what a function of the script returns until that is nil. */
function eachCall(run: Run, list: Results, { body, line, frame, setSlots }: Rounds): Outcome {
  const [iterator = null, state = null, start = null] = list.values
  let control = start
  const shouldRun = () => {
    const row = run.call(iterator, results(state, control), run.site ?? { line, endLine: line })
    control = resultAt(row, 0)
    setSlots(row.values, row.rest ?? null)
    if (control === null) return false
    return optionsOf(control).some((option) => option === null || option instanceof Unknown) ? undefined : true
  }
  return loop(run, frame, { body, line, shouldRun, maxRounds: MAX_KNOWN_ROUNDS })
}

interface Rows {
  known: Value[][]
  further: Value[] | undefined
}

function rowsOf(list: Results): Rows {
  const [first = UNKNOWN, second] = list.values
  if (first instanceof Table) return entriesOf(first)
  if (first instanceof Library && second instanceof Table) {
    if (first.path === 'next') return entriesOf(second)
    if (first.path === 'ipairs.next') {
      const known = Array.from({ length: second.length }, (_, index) => [
        index + 1,
        second.entries.get(index + 1) ?? null,
      ])
      return { known, further: second.other === undefined ? undefined : [UNKNOWN, second.other] }
    }
    if (first.path === 'string.gmatch') {
      const matches = [...second.entries.values()]
      return {
        known: matches.map((match) => (match instanceof Table ? [...match.entries.values()] : [])),
        further: undefined,
      }
    }
  }
  const source = first instanceof Library && second !== undefined ? second : first
  const options = optionsOf(source)
  const tables = options.filter((option) => option instanceof Table)
  // The parts of a text say something about all of it.
  const key = source instanceof Unknown ? unknownOf(source.origin) : UNKNOWN
  if (tables.length === 0) return { known: [], further: [key, elementOf(source)] }
  const rows = tables.flatMap((table) => {
    const { known, further } = entriesOf(table)
    return further ? [...known, further] : known
  })
  const isOnlyTables = tables.length === options.length
  return { known: rows, further: isOnlyTables ? undefined : [UNKNOWN, UNKNOWN] }
}

function entriesOf(table: Table): Rows {
  // All global variables.
  if (table instanceof Environment) return { known: [], further: [UNKNOWN, new Unknown(ORIGIN.hidden)] }
  const known = [...table.entries].map(([key, value]): Value[] => [key as Value, value])
  return { known, further: table.other === undefined ? undefined : [table.otherKey ?? UNKNOWN, table.other] }
}
