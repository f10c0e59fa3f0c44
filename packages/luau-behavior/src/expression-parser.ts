import { tokenize } from './lexer.ts'
import { Scopes } from './scopes.ts'
import type { Block, Call, Expression, FunctionNode, Literal } from './syntax.ts'
import { TypeParser } from './type-parser.ts'

/** How strongly an operator binds what is left and right of it. */
const PRIORITIES = new Map<string, readonly [left: number, right: number]>([
  ['or', [1, 1]],
  ['and', [2, 2]],
  ...['<', '>', '<=', '>=', '~=', '=='].map((operator) => [operator, [3, 3]] as const),
  ['..', [5, 4]],
  ...['+', '-'].map((operator) => [operator, [6, 6]] as const),
  ...['*', '/', '//', '%'].map((operator) => [operator, [7, 7]] as const),
  ['^', [10, 9]],
])
const UNARY_PRIORITY = 8
const CONCAT_PRIORITY = 5
const UNARY = new Map([
  ['not', 'not'],
  ['-', 'minus'],
  ['#', 'length'],
] as const)

/** Parses expressions. Types, attributes and type arguments are passed without a trace. */
export abstract class ExpressionParser extends TypeParser {
  readonly literals: Literal[] = []
  protected readonly scopes = new Scopes()

  constructor(source: string, tokens = tokenize(source)) {
    super(tokens)
  }

  protected abstract block(): Block

  protected expressions(): Expression[] {
    const all = [this.expression()]
    while (this.takeSymbol(',')) all.push(this.expression())
    return all
  }

  protected expression(limit = 0): Expression {
    const depth = this.currentDepth
    this.deepen()
    const firstLiteral = this.literals.length
    let left = this.operand()
    for (;;) {
      const { kind, text } = this.token
      const priority = kind === 'symbol' || kind === 'keyword' ? PRIORITIES.get(text) : undefined
      if (!priority || priority[0] <= limit) break
      this.deepen()
      if (text === '..') left = this.concat(left, firstLiteral)
      else {
        this.advance()
        left = this.binary(text, left, this.expression(priority[1]))
      }
    }
    this.resetDepth(depth)
    return left
  }

  private binary(operator: string, left: Expression, right: Expression): Expression {
    const { line } = left
    return operator === 'and' || operator === 'or'
      ? { kind: 'logical', operator, left, right, line }
      : { kind: 'arithmetic', operator, left, right, line }
  }

  /** A chain of `..`. Its texts are no literals of their own: they are recorded once they are put together. */
  private concat(first: Expression, firstLiteral: number): Expression {
    const parts = [first]
    if (isText(first)) this.literals.length = firstLiteral
    while (this.takeSymbol('..')) {
      const count = this.literals.length
      const part = this.expression(CONCAT_PRIORITY)
      if (isText(part)) this.literals.length = count
      parts.push(part)
    }
    return { kind: 'concat', parts, line: first.line }
  }

  private operand(): Expression {
    const { kind, text, line } = this.token
    const unary = kind === 'symbol' || kind === 'keyword' ? UNARY.get(text as '-') : undefined
    if (unary) {
      this.advance()
      return { kind: unary, operand: this.expression(UNARY_PRIORITY), line }
    }
    const value = this.simple()
    if (this.takeSymbol('::')) this.skipType()
    return value
  }

  private simple(): Expression {
    const { kind, text, line } = this.token
    switch (kind) {
      case 'constant':
        this.advance()
        return { kind: 'constant', value: text === 'nil' ? null : text === 'true', line }
      case 'number':
        return this.number()
      case 'string':
        return this.string()
      case 'interpolation':
        return this.interpolated()
      case 'name':
        return this.suffixed()
      case 'keyword':
        if (text === 'function') return this.functionExpression()
        if (text === 'if') return this.conditional()
        break
      default:
        if (text === '@') {
          this.skipAttributes()
          if (this.isKeyword('function')) return this.functionExpression()
        }
        if (text === '{') return this.table()
        if (text === '(') return this.suffixed()
        if (this.takeSymbol('...')) return { kind: 'varargs', line }
    }
    return this.fail('an expression')
  }

  private number(): Expression {
    const { text, line } = this.token
    const value = toNumber(text)
    if (value === undefined) this.fail('a number')
    this.advance()
    return { kind: 'constant', value, line }
  }

  private string(): Expression {
    const { text, line } = this.advance()
    this.literals.push({ text, line })
    return { kind: 'constant', value: text, line }
  }

  private interpolated(): Expression {
    const { line } = this.token
    const parts: Expression[] = []
    for (;;) {
      const { text, raw } = this.advance()
      parts.push({ kind: 'constant', value: text, line })
      if (!raw.endsWith('{')) return { kind: 'concat', parts, line }
      parts.push(this.expression())
      if (this.token.kind !== 'interpolation-rest') this.fail("'}'")
    }
  }

  private functionExpression(): Expression {
    const { line } = this.token
    this.expectKeyword('function')
    return { kind: 'function', fn: this.functionBody(line, false), line }
  }

  /** From the parameters to `end`. */
  protected functionBody(line: number, isMethod: boolean): FunctionNode {
    const { result, slots } = this.scopes.inFunction(() => {
      const params = isMethod ? [this.scopes.add('self')] : []
      this.skipGenerics()
      this.expectSymbol('(')
      if (!this.isSymbol(')')) this.parameters(params)
      this.expectSymbol(')')
      this.skipAnnotation()
      const body = this.block()
      this.expectKeyword('end')
      return { params, body }
    })
    return { line, ...result, slots }
  }

  private parameters(params: number[]): void {
    do {
      const isLast = this.takeSymbol('...')
      if (!isLast) params.push(this.scopes.declare(this.expect('name')))
      this.skipAnnotation()
      if (isLast) return
    } while (this.takeSymbol(','))
  }

  private conditional(): Expression {
    const { line } = this.token
    const depth = this.currentDepth
    const clauses: { condition: Expression; value: Expression }[] = []
    do {
      this.deepen()
      this.advance()
      const condition = this.expression()
      this.expectKeyword('then')
      clauses.push({ condition, value: this.expression() })
    } while (this.isKeyword('elseif'))
    this.expectKeyword('else')
    const otherwise = this.expression()
    this.resetDepth(depth)
    return { kind: 'conditional', clauses, otherwise, line }
  }

  private table(): Expression {
    const { line } = this.token
    const items: { key: Expression | undefined; value: Expression }[] = []
    this.expectSymbol('{')
    while (!this.takeSymbol('}')) {
      items.push({ key: this.key(), value: this.expression() })
      if (!this.takeSymbol(',') && !this.takeSymbol(';') && !this.isSymbol('}')) this.fail("'}'")
    }
    return { kind: 'table', items, line }
  }

  /** `name =` or `[key] =`, with the sign. */
  private key(): Expression | undefined {
    const { kind, text, line } = this.token
    if (kind === 'name' && this.following.kind === 'symbol' && this.following.text === '=') {
      this.advance()
      this.advance()
      return { kind: 'constant', value: text, line }
    }
    if (!this.takeSymbol('[')) return undefined
    const key = this.expression()
    this.expectSymbol(']')
    this.expectSymbol('=')
    return key
  }

  /** A name or an expression in brackets, with the fields and calls that follow it. */
  protected suffixed(): Expression {
    const depth = this.currentDepth
    let value = this.primary()
    for (let next = this.suffix(value); next; next = this.suffix(value)) {
      this.deepen()
      value = next
    }
    this.resetDepth(depth)
    return value
  }

  private primary(): Expression {
    const { line } = this.token
    if (this.token.kind === 'name') return this.scopes.reference(this.advance(), line)
    this.expectSymbol('(')
    const operand = this.expression()
    this.expectSymbol(')')
    return { kind: 'single', operand, line }
  }

  private suffix(value: Expression): Expression | undefined {
    const { kind, text } = this.token
    if (kind === 'string') return this.call(value, undefined, value.line)
    if (kind !== 'symbol') return undefined
    switch (text) {
      case '.': {
        this.advance()
        const name = this.expect('name')
        return {
          kind: 'index',
          object: value,
          key: { kind: 'constant', value: name.text, line: name.line },
          line: value.line,
        }
      }
      case '[': {
        this.advance()
        const key = this.expression()
        this.expectSymbol(']')
        return { kind: 'index', object: value, key, line: value.line }
      }
      case ':': {
        this.advance()
        const method = this.expect('name')
        if (this.isTypeArguments()) this.skipInstantiation()
        // A chain of calls starts at its first line; what matters is the line of this call's name.
        return this.call(value, method.text, method.line)
      }
      case '(':
      case '{':
        return this.call(value, undefined, value.line)
      case '<':
        if (!this.isTypeArguments()) return undefined
        this.skipInstantiation()
        return value
      default:
        return undefined
    }
  }

  /** `<<`, which opens the types of an explicit instantiation: `f<<T>>(x)`. */
  private isTypeArguments(): boolean {
    return this.isSymbol('<') && this.following.kind === 'symbol' && this.following.text === '<'
  }

  private skipInstantiation(): void {
    this.expectSymbol('<')
    this.skipTypeArguments()
    this.expectSymbol('>')
  }

  private call(callee: Expression, method: string | undefined, line: number): Call {
    const args = this.callArguments()
    return { kind: 'call', callee, method, args, line, endLine: this.lastLine }
  }

  private callArguments(): Expression[] {
    if (this.token.kind === 'string') return [this.string()]
    if (this.isSymbol('{')) return [this.table()]
    this.expectSymbol('(')
    if (this.takeSymbol(')')) return []
    const args = this.expressions()
    this.expectSymbol(')')
    return args
  }

  /** `@native`, `@[deprecated { use = "x" }, native]` and others, before a function. */
  protected skipAttributes(): void {
    while (this.takeSymbol('@')) {
      if (this.token.kind === 'name') {
        this.advance()
        continue
      }
      this.expectSymbol('[')
      do {
        this.expect('name')
        if (!this.isSymbol(',') && !this.isSymbol(']')) this.callArguments()
      } while (this.takeSymbol(','))
      this.expectSymbol(']')
    }
  }
}

const isText = (node: Expression): boolean => node.kind === 'constant' && typeof node.value === 'string'

const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** The value of a number as Luau writes it, or undefined. */
export function toNumber(text: string): number | undefined {
  const digits = text.includes('_') ? text.replaceAll('_', '') : text
  if (DECIMAL.test(digits)) return Number(digits)
  if (/^0[xX][\da-fA-F]+$/.test(digits)) return Number.parseInt(digits, 16)
  return /^0[bB][01]+$/.test(digits) ? Number.parseInt(digits.slice(2), 2) : undefined
}
