import { Closure, Instance, isConstant, join, Library, Union, Unknown, UNKNOWN, type Value } from './values.ts'

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

/** A short text for what a value is, equal for values that are alike. */
export function kindOf(value: Value): string {
  if (typeof value === 'string') return value.length > 200 ? `text of ${value.length}` : JSON.stringify(value)
  if (isConstant(value)) return String(value)
  if (value instanceof Library) return value.path
  if (value instanceof Closure) return `function ${value.fn.line}`
  if (value instanceof Instance) return `${value.className}.${value.name}`
  if (value instanceof Unknown) return `unknown ${value.origin} ${value.made} ${value.parts?.join('{}') ?? ''}`
  if (value instanceof Union) return value.options.map(kindOf).join('|')
  return `table ${value.length} ${[...value.entries]
    .slice(0, 6)
    .map(([key, entry]) => (isConstant(entry) ? `${typeof key === 'string' ? key : ''}=${String(entry)}` : ''))
    .join()}`
}
