import { Closure, Instance, isConstant, join, Library, Thread, Union, Unknown, UNKNOWN, type Value } from './values.ts'

/** Results of a call: known ones, and what further ones are if there may be more. */
export interface Results {
  values: Value[]
  rest: Value | undefined
}

export const results = (...values: Value[]): Results => ({ values, rest: undefined })
export const unknownResults = (value: Value = UNKNOWN): Results => ({ values: [value], rest: value })
export const resultAt = ({ values, rest }: Results, index: number): Value => values[index] ?? rest ?? null

export function joinResults(all: readonly Results[]): Results {
  if (all.length === 0) return results()
  if (all.length === 1 && all[0]) return all[0]
  const length = Math.max(...all.map(({ values }) => values.length))
  const rests = all.flatMap(({ rest }): Value[] => (rest === undefined ? [] : [rest]))
  const values = Array.from({ length }, (_, index) => all.map((one) => resultAt(one, index)).reduce(join))
  return { values, rest: rests.length > 0 ? rests.reduce(join) : undefined }
}

const MAX_KIND_DEPTH = 3
const MAX_KIND_ENTRIES = 12

/** A short text for what a value is, equal for values that are alike. */
export function kindOf(value: Value, depth = 0): string {
  if (typeof value === 'string') {
    return value.length > 200
      ? `text of ${value.length} ${value.slice(0, 200)} ${value.slice(-100)}`
      : JSON.stringify(value)
  }
  if (isConstant(value)) return String(value)
  if (value instanceof Library) return value.path
  if (value instanceof Closure) return `function ${numberOf(value.fn)} ${value.frame ? numberOf(value.frame) : 0}`
  if (value instanceof Instance) return `${value.className}.${value.name}`
  if (value instanceof Unknown) return `unknown ${value.origin} ${value.madeBy} ${value.parts?.join('{}') ?? ''}`
  if (value instanceof Thread) return `thread ${kindOf(value.body, depth)}`
  if (value instanceof Union) return value.options.map((option) => kindOf(option, depth)).join('|')
  if (depth >= MAX_KIND_DEPTH) return `table ${value.length} ${value.entries.size}`
  const entries = [...value.entries].slice(0, MAX_KIND_ENTRIES)
  return `table ${value.length} ${value.entries.size} ${entries
    .map(([key, entry]) => `${typeof key === 'object' ? '' : String(key)}=${kindOf(entry, depth + 1)}`)
    .join()}`
}

const numbers = new WeakMap<object, number>()
let last = 0

/** Functions on the same line are not alike, and neither are those that one function makes for several callers. */
function numberOf(part: object): number {
  const known = numbers.get(part) ?? ++last
  numbers.set(part, known)
  return known
}
