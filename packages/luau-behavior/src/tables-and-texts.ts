// Functions on tables and texts that change tables, or call functions of the script.
import type { Site } from './findings.ts'
import type { Interpreter } from './interpreter.ts'
import { PatternError } from './patterns.ts'
import { listOf, PURE } from './pure.ts'
import { resultAt, type Results, results, unknownResults } from './results.ts'
import { Closure, Library, MAX_TEXT, originOf, Table, Unknown, UNKNOWN, type Value } from './values.ts'

export type LibraryFunction = (run: Interpreter, args: Results, site: Site) => Results

export const TABLE_FUNCTIONS: Record<string, LibraryFunction> = {
  'table.insert': (run, args) => {
    const [table, position, value] = args.values
    if (!(table instanceof Table)) return results()
    if (value === undefined) run.state.setField(table, table.length + 1, position ?? null)
    else if (typeof position === 'number' && position <= table.length) {
      for (let index = table.length; index >= position; index--)
        run.state.setField(table, index + 1, table.entries.get(index) ?? null)
      run.state.setField(table, position, value)
    } else run.state.setField(table, table.length + 1, value)
    return results()
  },
  'table.remove': (run, args) => {
    const [table, position] = args.values
    if (!(table instanceof Table)) return unknownResults()
    const start = typeof position === 'number' ? position : table.length
    const removed = table.entries.get(start) ?? null
    for (let next = start; next < table.length; next++) {
      run.state.setField(table, next, table.entries.get(next + 1) ?? null)
    }
    if (table.length > 0) run.state.setField(table, table.length, null)
    return results(removed)
  },
  'table.clone': (_run, args) => {
    const table = resultAt(args, 0)
    if (!(table instanceof Table)) return unknownResults()
    const copy = new Table()
    for (const [key, value] of table.entries) copy.entries.set(key, value)
    Object.assign(copy, { length: table.length, other: table.other, metatable: table.metatable })
    return results(copy)
  },
  'table.sort': (run, args) => {
    run.useElsewhere(resultAt(args, 1))
    return results()
  },
  'table.freeze': (_run, args) => args,
}

/** Buffers that the script fills are lists of bytes by offset; those made from text are that text. */
const MAX_BUFFER = 65_536
const bytesOf = (value: Value | undefined, from: number, to: number): string | undefined => {
  if (!(value instanceof Table) || value.other !== undefined || to - from > MAX_BUFFER) return undefined
  let text = ''
  for (let offset = from; offset < to; offset++) {
    const byte = value.entries.get(offset) ?? 0
    if (typeof byte !== 'number') return undefined
    text += String.fromCharCode(byte & 255)
  }
  return text
}
const sizeOf = (table: Table): number => Number(table.entries.get('size') ?? 0)
const ofBuffer =
  (name: string, apply: (run: Interpreter, buffer: Table, args: readonly Value[]) => Value): LibraryFunction =>
  (run, args) => {
    const [buffer, ...others] = args.values
    if (buffer instanceof Table) return results(apply(run, buffer, others))
    const known = args.rest === undefined ? PURE[name]?.(args.values) : undefined
    return known ? { values: known, rest: undefined } : unknownResults(new Unknown(originOf(buffer ?? null)))
  }
const numberOr = (value: Value | undefined, other: number): number => (typeof value === 'number' ? value : other)
const unknownText = (buffer: Table): Value => new Unknown(originOf(buffer), undefined, 'text')

export const BUFFER_FUNCTIONS: Record<string, LibraryFunction> = {
  'buffer.create': (run, args) => {
    const buffer = new Table()
    buffer.branch = run.state.branch
    buffer.entries.set('size', resultAt(args, 0))
    return results(buffer)
  },
  'buffer.writeu8': (run, args) => {
    const [buffer, offset, byte = null] = args.values
    if (buffer instanceof Table && offset !== undefined) run.setIndex(buffer, offset, byte, 1)
    return results()
  },
  'buffer.writestring': (run, args) => {
    const [buffer, offset, text = null] = args.values
    if (!(buffer instanceof Table)) return results()
    if (typeof text === 'string' && typeof offset === 'number' && text.length <= MAX_BUFFER)
      for (let index = 0; index < text.length; index++)
        run.state.setField(buffer, offset + index, text.charCodeAt(index))
    else buffer.other = text
    return results()
  },
  'buffer.len': ofBuffer('buffer.len', (_run, buffer) => sizeOf(buffer)),
  'buffer.readu8': ofBuffer('buffer.readu8', (run, buffer, [offset = null]) => run.index(buffer, offset) ?? 0),
  'buffer.readstring': ofBuffer('buffer.readstring', (_run, buffer, [offset, length]) => {
    const from = numberOr(offset, 0)
    return bytesOf(buffer, from, from + numberOr(length, 0)) ?? unknownText(buffer)
  }),
  'buffer.tostring': ofBuffer(
    'buffer.tostring',
    (_run, buffer) => bytesOf(buffer, 0, sizeOf(buffer)) ?? unknownText(buffer),
  ),
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
      const found = PURE['string.find']?.([text, pattern, position])
      const [start, end] = found ?? []
      if (!found || typeof start !== 'number' || typeof end !== 'number') break
      const captures = found.slice(2)
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
export function substitute(run: Interpreter, args: Results, site: Site): Results {
  const [text, pattern, by = null, limit = null] = args.values
  const origin = [text, by].reduce((bits: number, value) => bits | originOf(value ?? null), 0)
  const unknown = results(new Unknown(origin, undefined, 'text'), UNKNOWN)
  const matches = text === undefined || pattern === undefined ? undefined : allMatches(text, pattern)
  if (!matches || typeof text !== 'string' || typeof pattern !== 'string') {
    run.useElsewhere(by)
    return unknown
  }
  run.addWork(text.length / 50)
  let result = ''
  let position = 0
  let count = 0
  for (const captures of matches) {
    if (typeof limit === 'number' && count >= limit) break
    const found = PURE['string.find']?.([text, pattern, position + 1])
    if (!found || typeof found[0] !== 'number' || typeof found[1] !== 'number') break
    const whole = text.slice(found[0] - 1, found[1])
    const value = replacement(run, by, [whole, ...captures], site)
    if (value === undefined) return unknown
    result += text.slice(position, found[0] - 1) + value
    count++
    if (found[1] < found[0]) {
      result += text[found[0] - 1] ?? ''
      position = found[0]
    } else position = found[1]
    if (result.length > MAX_TEXT) return unknown
  }
  const whole = result + text.slice(position)
  run.findings.recordText(whole, site.line)
  return results(whole, count)
}

function replacement(run: Interpreter, by: Value, [whole = '', ...captures]: Value[], site: Site): string | undefined {
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
      : by instanceof Closure
        ? resultAt(run.call(by, results(...captures), site), 0)
        : UNKNOWN
  if (value === null || value === false) return typeof whole === 'string' ? whole : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
