import { isConstant, originOf, Unknown, type Value } from './values.ts'

export function arithmetic(operator: string, left: Value, right: Value): Value {
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
