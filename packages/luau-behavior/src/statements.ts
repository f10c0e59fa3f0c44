import { elementOf } from './indexing.ts'
import type { Interpreter } from './interpreter.ts'
import type { Results } from './results.ts'
import type { Outcome } from './state.ts'
import type { Block, Expression, Statement } from './syntax.ts'
import { Closure, type Frame, Library, Table, UNKNOWN, type Value } from './values.ts'

/** Rounds of a loop that waits, calls unknown functions or has an unknown end, and of one through known values. */
const MAX_ROUNDS = 2
const MAX_KNOWN_ROUNDS = 40

export function runBlock(run: Interpreter, block: Block, frame: Frame): Outcome {
  run.visited.add(block)
  for (let index = 0; index < block.length; index++) {
    const outcome = runStatement(run, block[index] as Statement, frame)
    if (outcome === 'next') continue
    // A condition inside has ended the block: what follows is run in the end.
    if (index < block.length - 1) run.skipRest(block, index + 1, frame)
    return outcome
  }
  run.ended.add(block)
  return 'next'
}

function runStatement(run: Interpreter, statement: Statement, frame: Frame): Outcome {
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
      return loop(run, statement.body, frame, () => run.truth(run.evaluate(statement.condition, frame)))
    case 'repeat': {
      let isFirst = true
      return loop(run, statement.body, frame, () => {
        if (isFirst) {
          isFirst = false
          return true
        }
        const isDone = run.truth(run.evaluate(statement.condition, frame))
        return isDone === undefined ? undefined : !isDone
      })
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
  run: Interpreter,
  [clause, ...rest]: { condition: Expression; body: Block }[],
  otherwise: Block | undefined,
  frame: Frame,
): Outcome {
  if (!clause) return otherwise ? runBlock(run, otherwise, frame) : 'next'
  const truth = run.truth(run.evaluate(clause.condition, frame))
  if (truth === true) {
    for (const { body } of rest) run.skip(body, frame)
    if (otherwise) run.skip(otherwise, frame)
    return runBlock(run, clause.body, frame)
  }
  if (truth === false) {
    run.skip(clause.body, frame)
    return choose(run, rest, otherwise, frame)
  }
  return run.state.runBranches([() => runBlock(run, clause.body, frame), () => choose(run, rest, otherwise, frame)])
}

/** Runs a body while `shouldRun`: exactly if all is known and computed, else a few rounds. */
function loop(
  run: Interpreter,
  body: Block,
  frame: Frame,
  shouldRun: () => boolean | undefined,
  maxRounds = MAX_ROUNDS,
): Outcome {
  const { state } = run
  const outer = { hasWaited: run.hasWaited, isUnsure: state.isUnsure }
  run.hasWaited = false
  state.isUnsure = false
  let outcome: Outcome = 'next'
  for (let round = 0; ; round++) {
    const isAbstract = run.hasWaited || state.isUnsure
    if ((isAbstract && round >= maxRounds) || (run.isExhausted && round >= MAX_ROUNDS)) break
    const truth = shouldRun()
    if (truth === false) {
      run.skip(body, frame)
      break
    }
    if (truth === undefined) {
      state.isUnsure = true
      outcome = state.runBranches([() => runBlock(run, body, frame), () => 'next'])
    } else outcome = runBlock(run, body, frame)
    if (outcome === 'break' || outcome === 'return') break
  }
  run.hasWaited ||= outer.hasWaited
  state.isUnsure = outer.isUnsure
  return outcome === 'return' ? 'return' : 'next'
}

function count(
  run: Interpreter,
  { slot, from, to, step, body }: Extract<Statement, { kind: 'count' }>,
  frame: Frame,
): Outcome {
  const [start, end] = [run.evaluate(from, frame), run.evaluate(to, frame)]
  const by = step ? run.evaluate(step, frame) : 1
  if (typeof start !== 'number' || typeof end !== 'number' || typeof by !== 'number' || by === 0) {
    let round = 0
    return loop(run, body, frame, () => {
      run.state.setSlot(frame, slot, UNKNOWN)
      return round++ < MAX_ROUNDS ? undefined : false
    })
  }
  let value = start
  const shouldRun = () => {
    const isIn = by > 0 ? value <= end : value >= end
    run.state.setSlot(frame, slot, value)
    value += by
    return isIn
  }
  return loop(run, body, frame, shouldRun, MAX_KNOWN_ROUNDS)
}

interface Rows {
  known: Value[][]
  other: Value[] | undefined
}

function each(
  run: Interpreter,
  { slots, iterators, body }: Extract<Statement, { kind: 'each' }>,
  frame: Frame,
): Outcome {
  const { known, other } = rowsOf(run, run.list(iterators, frame))
  let round = 0
  const shouldRun = () => {
    const row = known[round] ?? other
    const isKnown = round < known.length
    round++
    for (const [index, slot] of slots.entries()) {
      run.state.setSlot(frame, slot, row?.[index] ?? (isKnown ? null : UNKNOWN))
    }
    if (isKnown) return true
    return other !== undefined && round <= known.length + MAX_ROUNDS ? undefined : false
  }
  return loop(run, body, frame, shouldRun, known.length > 0 ? MAX_KNOWN_ROUNDS : MAX_ROUNDS)
}

function rowsOf(run: Interpreter, list: Results): Rows {
  const [first = UNKNOWN, second] = list.values
  if (first instanceof Table) return entriesOf(first)
  if (first instanceof Library && second instanceof Table) {
    if (first.path === 'next') return entriesOf(second)
    if (first.path === 'ipairs.next') {
      const known = Array.from({ length: second.length }, (_, index) => [
        index + 1,
        second.entries.get(index + 1) ?? null,
      ])
      return { known, other: second.other === undefined ? undefined : [UNKNOWN, second.other] }
    }
    if (first.path === 'string.gmatch') {
      const matches = [...second.entries.values()]
      return {
        known: matches.map((match) => (match instanceof Table ? [...match.entries.values()] : [])),
        other: undefined,
      }
    }
  }
  if (first instanceof Closure) {
    const args = { values: list.values.slice(1), rest: UNKNOWN }
    const { values } = run.call(first, args, { line: first.fn.line, endLine: first.fn.line })
    return { known: [], other: values.filter((value) => value !== null) }
  }
  return { known: [], other: [UNKNOWN, elementOf(first instanceof Library && second !== undefined ? second : first)] }
}

function entriesOf(table: Table): Rows {
  const known = [...table.entries].map(([key, value]): Value[] => [key as Value, value])
  return { known, other: table.other === undefined ? undefined : [UNKNOWN, table.other] }
}
