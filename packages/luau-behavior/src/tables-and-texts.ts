// Functions on tables and texts that change tables, or call functions of the script.
import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { PatternError } from './patterns.ts'
import { listOf, PURE } from './pure.ts'
import { writeRaw } from './indexing.ts'
import { operate } from './operators.ts'
import { resultAt, type Results, results, unknownResults } from './results.ts'
import {
  Environment,
  isConstant,
  Library,
  MAX_TEXT,
  optionsOf,
  originOf,
  originsOf,
  Table,
  Union,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

export type LibraryFunction = (run: Run, args: Results, site: Site) => Results

/** What is anywhere in a list whose order is not known. */
function shuffle(run: Run, table: Table): void {
  const any = run.index(table, UNKNOWN)
  for (let index = 1; index <= table.length; index++) run.state.setField(table, index, any)
}

/** Moves all entries from a position up by one, and puts a value there. */
function insert(run: Run, table: Table, position: Value, value: Value): void {
  if (position instanceof Unknown || position instanceof Union) {
    run.state.setField(table, table.length + 1, value)
    shuffle(run, table)
  } else if (typeof position === 'number' && position <= table.length) {
    for (let index = table.length; index >= position; index--)
      run.state.setField(table, index + 1, table.entries.get(index) ?? null)
    run.state.setField(table, position, value)
  } else run.state.setField(table, table.length + 1, value)
}

const MAX_MOVED = 65_536

/** `table.move`: what lies at positions that are not known may get anywhere. */
function move(run: Run, args: Results): Results {
  const [from = null, start, end, to, target = from] = args.values
  if (!(from instanceof Table) || !(target instanceof Table)) return unknownResults(new Unknown(originsOf(args.values)))
  if (typeof start !== 'number' || typeof end !== 'number' || typeof to !== 'number' || from.other !== undefined) {
    writeRaw(run, target, UNKNOWN, run.index(from, UNKNOWN))
    return results(target)
  }
  const count = Math.min(Math.max(0, end - start + 1), MAX_MOVED)
  const moved = Array.from({ length: count }, (_, index) => from.entries.get(start + index) ?? null)
  for (const [index, value] of moved.entries()) run.state.setField(target, to + index, value)
  return results(target)
}

export const TABLE_FUNCTIONS: Record<string, LibraryFunction> = {
  'table.insert': (run, args) => {
    const [table = null, position = null, value] = args.values
    const tables = optionsOf(table).filter((option) => option instanceof Table)
    for (const option of tables) {
      if (value === undefined) run.state.setField(option, option.length + 1, position)
      else insert(run, option, position, value)
    }
    if (tables.length === 0) run.useElsewhere(value ?? position)
    return results()
  },
  'table.remove': (run, args) => {
    const [table = null, position] = args.values
    if (!(table instanceof Table)) return unknownResults(new Unknown(originOf(table)))
    if (table.other !== undefined || (position !== undefined && typeof position !== 'number')) {
      shuffle(run, table)
      return results(run.index(table, UNKNOWN))
    }
    const start = position ?? table.length
    const removed = table.entries.get(start) ?? null
    for (let next = start; next < table.length; next++) {
      run.state.setField(table, next, table.entries.get(next + 1) ?? null)
    }
    if (table.length > 0) run.state.setField(table, table.length, null)
    return results(removed)
  },
  'table.clone': (run, args) => {
    const table = resultAt(args, 0)
    if (!(table instanceof Table)) return unknownResults(new Unknown(originOf(table)))
    if (table instanceof Environment) return results(table)
    const copy = new Table()
    copy.born = run.state.position
    for (const [key, value] of table.entries) copy.entries.set(key, value)
    Object.assign(copy, { length: table.length, other: table.other, metatable: table.metatable })
    return results(copy)
  },
  'table.move': move,
  'table.clear': (run, args) => {
    const table = resultAt(args, 0)
    if (table instanceof Table) for (const key of table.entries.keys()) run.state.setField(table, key, null)
    return results()
  },
  'table.sort': sort,
  'table.freeze': (_run, args) => args,
}

const MAX_SORTED = 500

/** Sorts a list if all comparisons are known. */
function sort(run: Run, args: Results, site: Site): Results {
  const [table = null, compare = null] = args.values
  if (!(table instanceof Table)) {
    run.useElsewhere(compare, unknownResults(new Unknown(originOf(table))))
    return results()
  }
  const length = Math.min(table.length, MAX_SORTED)
  const values = Array.from({ length }, (_, index) => table.entries.get(index + 1) ?? null)
  let isKnown = table.other === undefined && table.length <= MAX_SORTED
  const isLess = (left: Value, right: Value): boolean => {
    const result =
      compare === null
        ? operate(run, '<', left, right, site.line)
        : resultAt(run.call(compare, results(left, right), site), 0)
    if (result !== null && typeof result !== 'boolean') isKnown = false
    return result === true
  }
  const any = table.other ?? values[0] ?? null
  if (values.length < 2 || table.other !== undefined) isLess(values[0] ?? any, any)
  values.sort((left, right) => (isLess(left, right) ? -1 : isLess(right, left) ? 1 : 0))
  if (isKnown) for (const [index, value] of values.entries()) run.state.setField(table, index + 1, value)
  else shuffle(run, table)
  return results()
}

export const gmatch: LibraryFunction = (_run, args) => {
  const matches = allMatches(resultAt(args, 0), resultAt(args, 1))
  return matches
    ? results(new Library('string.gmatch'), listOf(matches.map((match) => listOf(match))))
    : unknownResults(new Unknown(originOf(resultAt(args, 0))))
}

function allMatches(text: Value, pattern: Value): Value[][] | undefined {
  if (typeof text !== 'string' || typeof pattern !== 'string') return undefined
  const all: Value[][] = []
  try {
    for (let position = 1; position <= text.length + 1 && all.length < 100_000;) {
      const match = PURE['string.find']?.([text, pattern, position])
      const [start, end] = match ?? []
      if (!match || typeof start !== 'number' || typeof end !== 'number') break
      const captures = match.slice(2)
      all.push(captures.length > 0 ? captures : [text.slice(start - 1, end)])
      position = Math.max(end, start) + 1
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return undefined
  }
  return all
}

/** `string.gsub` with a known text and pattern, and a replacement that is a text, a table or a function. */
export function substitute(run: Run, args: Results, site: Site): Results {
  const [text, pattern, by = null, limit = null] = args.values
  const origin = [text, by].reduce((bits: number, value) => bits | originOf(value ?? null), 0)
  const unknown = results(new Unknown(origin, undefined, 'text'), UNKNOWN)
  const matches = text === undefined || pattern === undefined ? undefined : allMatches(text, pattern)
  if (!matches || typeof text !== 'string' || typeof pattern !== 'string') {
    // A function gets parts of the text.
    const part = new Unknown(originOf(text ?? null), undefined, 'text')
    const isFunction = !isConstant(by) && !(by instanceof Table)
    const returned = isFunction ? resultAt(run.call(by, unknownResults(part), site), 0) : null
    const from = text instanceof Unknown ? text : undefined
    return results(new Unknown(origin | originOf(returned), undefined, from?.madeBy || 'text', from?.source), UNKNOWN)
  }
  run.addWork(text.length / 50)
  let result = ''
  let position = 0
  let count = 0
  for (const captures of matches) {
    if (typeof limit === 'number' && count >= limit) break
    const match = PURE['string.find']?.([text, pattern, position + 1])
    if (!match || typeof match[0] !== 'number' || typeof match[1] !== 'number') break
    const whole = text.slice(match[0] - 1, match[1])
    const value = replacement(run, by, [whole, ...captures], site)
    if (typeof value !== 'string') return results(new Unknown(origin | value, undefined, 'text'), UNKNOWN)
    result += text.slice(position, match[0] - 1) + value
    count++
    if (match[1] < match[0]) {
      result += text[match[0] - 1] ?? ''
      position = match[0]
    } else position = match[1]
    if (result.length > MAX_TEXT) return unknown
  }
  const whole = result + text.slice(position)
  run.findings.recordText(whole, site.line)
  return results(whole, count)
}

/** The text for a match, or the origins of one that is not known. */
function replacement(run: Run, by: Value, [whole = '', ...captures]: Value[], site: Site): string | number {
  if (typeof by === 'string') {
    return by.replaceAll(/%(.)/g, (_match, key: string) => {
      if (key === '%') return '%'
      const value = key === '0' ? whole : captures[Number(key) - 1]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    })
  }
  const [first = whole] = captures
  const value =
    by instanceof Table
      ? run.index(by, first)
      : isConstant(by)
        ? UNKNOWN
        : resultAt(run.call(by, results(...captures), site), 0)
  if (value === null || value === false) return typeof whole === 'string' ? whole : 0
  return typeof value === 'string' || typeof value === 'number' ? String(value) : originOf(value)
}
