import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { resultAt, results } from './results.ts'
import { concat, isConstant, optionsOf, originOf, Table, Unknown, type Value } from './values.ts'

const EVENTS: Record<string, string> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '//': '__idiv',
  '%': '__mod',
  '^': '__pow',
  '==': '__eq',
  '~=': '__eq',
  '<': '__lt',
  '>': '__lt',
  '<=': '__le',
  '>=': '__le',
}

/** The function of a metatable for an event such as `__add`. */
export function metamethod(value: Value, event: string): Value | undefined {
  for (const option of optionsOf(value)) {
    const method = option instanceof Table ? option.metatable?.entries.get(event) : undefined
    if (method !== undefined) return method
  }
  return undefined
}

const siteOf = (run: Run, line: number): Site => run.site ?? { line, endLine: line }

/** The result of an operator. `-x` is `0 - x`. */
export function operate(run: Run, operator: string, left: Value, right: Value, line: number): Value {
  if (typeof left !== 'object' && typeof right !== 'object') return arithmetic(operator, left, right)
  const event = operator === '-' && left === 0 ? '__unm' : EVENTS[operator]
  const method = event && (metamethod(left, event) ?? metamethod(right, event))
  if (method === undefined || method === '') return arithmetic(operator, left, right)
  const args = event === '__unm' ? [right] : operator.startsWith('>') ? [right, left] : [left, right]
  const result = resultAt(run.call(method, results(...args), siteOf(run, line)), 0)
  return operator === '~=' ? new Unknown() : result
}

/** Joins texts; tables by their metatables. */
export function concatAll(run: Run, parts: Value[], site: Site): Value {
  if (!parts.some((part) => metamethod(part, '__concat') !== undefined)) return concat(parts)
  return parts.reduceRight((right, left) => {
    const method = metamethod(left, '__concat') ?? metamethod(right, '__concat')
    return method === undefined ? concat([left, right]) : resultAt(run.call(method, results(left, right), site), 0)
  })
}

export function lengthOf(run: Run, value: Value, line: number): Value {
  if (typeof value === 'string') return value.length
  const method = metamethod(value, '__len')
  if (method !== undefined) return resultAt(run.call(method, results(value), siteOf(run, line)), 0)
  return value instanceof Table && value.other === undefined ? value.length : new Unknown(originOf(value))
}

function arithmetic(operator: string, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return ofNumbers(operator, left, right)
  if (operator === '==' || operator === '~=') {
    if (isConstant(left) && isConstant(right)) return (left === right) === (operator === '==')
    return new Unknown()
  }
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator === '<') return left < right
    if (operator === '>') return left > right
    if (operator === '<=') return left <= right
    if (operator === '>=') return left >= right
  }
  return new Unknown(originOf(left) | originOf(right))
}

function ofNumbers(operator: string, left: number, right: number): Value {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '//':
      return Math.floor(left / right)
    case '%':
      return left - Math.floor(left / right) * right
    case '^':
      return left ** right
    case '==':
      return left === right
    case '~=':
      return left !== right
    case '<':
      return left < right
    case '>':
      return left > right
    case '<=':
      return left <= right
    case '>=':
      return left >= right
  }
  return new Unknown()
}
