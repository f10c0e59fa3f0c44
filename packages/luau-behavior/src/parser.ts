import { ExpressionParser } from './expression-parser.ts'
import { SyntaxError, type Token } from './lexer.ts'
import type { Block, Expression, FunctionNode, Literal, Statement, Target } from './syntax.ts'
import { NestingError } from './token-reader.ts'

const COMPOUND = new Set('+= -= *= /= //= %= ^= ..='.split(' '))
const BLOCK_ENDS = new Set(['end', 'else', 'elseif', 'until'])

/** Parses a script and resolves its locals to slots. */
class Parser extends ExpressionParser {
  main(): FunctionNode {
    const { result: body, slots } = this.scopes.inFunction(() => this.block())
    if (this.token.kind !== 'end') this.fail('a statement')
    return { line: 1, params: [], body, slots }
  }

  /** Parses up to the keyword that ends a block. Its locals belong to the scope around. */
  protected block(): Block {
    return this.nested(() => {
      const block: Block = []
      for (;;) {
        this.skipTerminators()
        const { kind, text } = this.token
        if (kind === 'end' || (kind === 'keyword' && BLOCK_ENDS.has(text))) return block
        const statement = this.statement()
        if (!statement) continue
        block.push(statement)
        if (statement.kind === 'return' || statement.kind === 'break' || statement.kind === 'continue') {
          this.skipTerminators()
          return block
        }
      }
    })
  }

  private scoped(): Block {
    return this.scopes.inBlock(() => this.block())
  }

  /** Undefined for a statement that does nothing, such as that of a type. */
  private statement(): Statement | undefined {
    const { kind, text, line } = this.token
    if (kind === 'symbol' && text === '@') {
      this.skipAttributes()
      return this.declaration()
    }
    if (kind !== 'keyword') return this.expressionStatement()
    switch (text) {
      case 'if':
        return this.if()
      case 'while': {
        this.advance()
        const condition = this.expression()
        return { kind: 'while', condition, body: this.body('do'), line }
      }
      case 'repeat':
        return this.repeat()
      case 'for':
        return this.for()
      case 'do':
        return { kind: 'do', body: this.body('do'), line }
      case 'return':
        return this.return()
      case 'break':
        this.advance()
        return { kind: 'break', line }
      default:
        return this.declaration()
    }
  }

  /** `do … end`. */
  private body(keyword: string): Block {
    this.expectKeyword(keyword)
    const body = this.scoped()
    this.expectKeyword('end')
    return body
  }

  /** A statement that starts with `local` or `function`, or with `const` after attributes. */
  private declaration(): Statement {
    if (this.isKeyword('function')) return this.function()
    if (!this.takeKeyword('local') && this.advance().text !== 'const') this.fail('a function')
    return this.local()
  }

  /** After `local` or `const`. */
  private local(): Statement {
    const { line } = this.token
    if (this.takeKeyword('function')) {
      const target = this.scopes.declareTarget(this.expect('name'), line)
      return { kind: 'assign', targets: [target], values: [this.functionValue(line, false)], line }
    }
    const names: Token[] = []
    do {
      names.push(this.expect('name'))
      this.skipAnnotation()
    } while (this.takeSymbol(','))
    const values = this.takeSymbol('=') ? this.expressions() : []
    return { kind: 'assign', targets: names.map((name) => this.scopes.declareTarget(name, line)), values, line }
  }

  private functionValue(line: number, isMethod: boolean): Expression {
    return { kind: 'function', fn: this.functionBody(line, isMethod), line }
  }

  /** `function a.b:c() … end`. */
  private function(): Statement {
    const { line } = this.advance()
    let target = this.scopes.reference(this.expect('name'), line)
    let isMethod = false
    const depth = this.currentDepth
    while (!isMethod && (this.isSymbol('.') || this.isSymbol(':'))) {
      this.deepen()
      isMethod = this.advance().text === ':'
      const { text: value, line: keyLine } = this.expect('name')
      target = { kind: 'index', object: target, key: { kind: 'constant', value, line: keyLine }, line }
    }
    this.resetDepth(depth)
    return { kind: 'assign', targets: [target], values: [this.functionValue(line, isMethod)], line }
  }

  private if(): Statement {
    const { line } = this.token
    const depth = this.currentDepth
    const clauses: { condition: Expression; body: Block }[] = []
    do {
      this.deepen()
      this.advance()
      const condition = this.expression()
      this.expectKeyword('then')
      clauses.push({ condition, body: this.scoped() })
    } while (this.isKeyword('elseif'))
    const otherwise = this.takeKeyword('else') ? this.scoped() : undefined
    this.expectKeyword('end')
    this.resetDepth(depth)
    return { kind: 'if', clauses, otherwise, line }
  }

  private repeat(): Statement {
    const { line } = this.advance()
    // The condition sees the locals of the body.
    return this.scopes.inBlock(() => {
      const body = this.block()
      this.expectKeyword('until')
      return { kind: 'repeat', condition: this.expression(), body, line }
    })
  }

  private for(): Statement {
    const { line } = this.advance()
    const name = this.forName()
    if (this.takeSymbol('=')) return this.count(name, line)
    const names = [name]
    while (this.takeSymbol(',')) names.push(this.forName())
    this.expectKeyword('in')
    const iterators = this.expressions()
    return this.scopes.inBlock(() => {
      const slots = names.map((each) => this.scopes.declare(each))
      return { kind: 'each', slots, iterators, body: this.body('do'), line }
    })
  }

  private forName(): Token {
    const name = this.expect('name')
    this.skipAnnotation()
    return name
  }

  private count(name: Token, line: number): Statement {
    const [from, to, step, more] = this.expressions()
    if (!from || !to || more) this.fail('two or three numbers')
    return this.scopes.inBlock(() => {
      const slot = this.scopes.declare(name)
      return { kind: 'count', slot, from, to, step, body: this.body('do'), line }
    })
  }

  private return(): Statement {
    const { line } = this.advance()
    const { kind, text } = this.token
    const isEmpty = kind === 'end' || this.isSymbol(';') || (kind === 'keyword' && BLOCK_ENDS.has(text))
    return { kind: 'return', values: isEmpty ? [] : this.expressions(), line }
  }

  private expressionStatement(): Statement | undefined {
    const { text: word, kind, line } = this.token
    const first = this.suffixed()
    if (first.kind === 'call') return { kind: 'call', call: first, line }
    const { text } = this.token
    if (this.token.kind === 'symbol') {
      if (text === '=' || text === ',') return this.assignment(first, line)
      if (COMPOUND.has(text)) return this.compound(toTarget(first), line)
    }
    const isWord = kind === 'name' && (first.kind === 'local' || first.kind === 'global')
    return isWord ? this.wordStatement(word, line) : this.fail('an assignment or a call')
  }

  private assignment(first: Expression, line: number): Statement {
    const targets = [toTarget(first)]
    while (this.takeSymbol(',')) targets.push(toTarget(this.suffixed()))
    this.expectSymbol('=')
    return { kind: 'assign', targets, values: this.expressions(), line }
  }

  private compound(target: Target, line: number): Statement {
    const operator = this.advance().text.slice(0, -1)
    const right = this.expression()
    const value: Expression =
      operator === '..'
        ? { kind: 'concat', parts: [target, right], line }
        : { kind: 'arithmetic', operator, left: target, right, line }
    return { kind: 'assign', targets: [target], values: [value], line }
  }

  /** A statement that starts with a word that is a name elsewhere. The word is passed. */
  private wordStatement(word: string, line: number): Statement | undefined {
    switch (word) {
      case 'continue':
        return { kind: 'continue', line }
      case 'const':
        return this.local()
      case 'export':
        if (this.expect('name').text !== 'type') this.fail("'type'")
        this.skipTypeStatement()
        return undefined
      case 'type':
        this.skipTypeStatement()
        return undefined
      default:
        return this.fail('an assignment or a call')
    }
  }

  /** After `type`. Type functions run only in the type checker. */
  private skipTypeStatement(): void {
    if (this.takeKeyword('function')) {
      const { line } = this.expect('name')
      this.functionBody(line, false)
      return
    }
    this.expect('name')
    this.skipGenerics()
    this.expectSymbol('=')
    this.skipType()
  }
}

function toTarget(node: Expression): Target {
  if (node.kind === 'local' || node.kind === 'global' || node.kind === 'index') return node
  throw new SyntaxError('Only variables and fields can be assigned.', node.line)
}

/** Parses a script whose characters are bytes, from its tokens where known. Throws SyntaxError or NestingError. */
export function parse(source: string, tokens?: Token[]): { main: FunctionNode; literals: Literal[] } {
  try {
    const parser = new Parser(source, tokens)
    const main = parser.main()
    return { main, literals: parser.literals }
  } catch (error) {
    // The stack is smaller than usual.
    if (error instanceof RangeError) throw new NestingError('The script is nested too deeply.')
    throw error
  }
}
