// The syntax tree that the interpreter runs: 14 kinds of expressions and 9 of statements, with locals resolved to slots.
// Only this file and `lexer` know the parser.
import * as luau from 'luau-parser'
import { tokenize } from './lexer.ts'

export type Constant = string | number | boolean | null

interface Positioned {
  /** First line in the script, from 1. */
  line: number
}

export type Expression = Positioned &
  (
    | { kind: 'constant'; value: Constant }
    | { kind: 'local'; name: string; hops: number; slot: number }
    | { kind: 'global'; name: string }
    | { kind: 'varargs' }
    | { kind: 'function'; fn: FunctionNode }
    | { kind: 'table'; items: { key: Expression | undefined; value: Expression }[] }
    | { kind: 'arithmetic'; operator: string; left: Expression; right: Expression }
    | { kind: 'logical'; operator: 'and' | 'or'; left: Expression; right: Expression }
    | { kind: 'not' | 'minus' | 'length'; operand: Expression }
    /** The operands of a chain of `..`, or the parts of an interpolated string. */
    | { kind: 'concat'; parts: Expression[] }
    | { kind: 'index'; object: Expression; key: Expression }
    | { kind: 'call'; callee: Expression; method: string | undefined; args: Expression[]; endLine: number }
    | { kind: 'conditional'; clauses: { condition: Expression; value: Expression }[]; otherwise: Expression }
    /** Cut to one value. */
    | { kind: 'single'; operand: Expression }
  )

export type Target = Extract<Expression, { kind: 'local' | 'global' | 'index' }>
export type Call = Extract<Expression, { kind: 'call' }>

export type Statement = Positioned &
  (
    | { kind: 'assign'; targets: Target[]; values: Expression[] }
    | { kind: 'call'; call: Expression }
    | { kind: 'do'; body: Block }
    | { kind: 'while' | 'repeat'; condition: Expression; body: Block }
    | { kind: 'if'; clauses: { condition: Expression; body: Block }[]; otherwise: Block | undefined }
    | { kind: 'count'; slot: number; from: Expression; to: Expression; step: Expression | undefined; body: Block }
    | { kind: 'each'; slots: number[]; iterators: Expression[]; body: Block }
    | { kind: 'return'; values: Expression[] }
    | { kind: 'break' | 'continue' }
  )

export type Block = Statement[]

export interface FunctionNode {
  name: string
  line: number
  /** Slots of the parameters, `self` of a method included. */
  params: number[]
  body: Block
  slots: number
}

export class SyntaxError extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** A script whose expressions or blocks are nested too deeply to be parsed. */
export class NestingError extends Error {}

export interface Literal {
  text: string
  line: number
}

/** Parses a script whose characters are bytes, from its tokens where known. Throws SyntaxError or NestingError. */
export function parse(source: string, tokens?: luau.Token[]): { main: FunctionNode; literals: Literal[] } {
  try {
    const program = luau.parseTokens(tokens ?? tokenize(source))
    const resolver = new Resolver()
    return { main: resolver.resolveMain(program.body), literals: resolver.literals }
  } catch (error) {
    if (error instanceof RangeError) throw new NestingError('The script is nested too deeply.')
    if (error instanceof Error && 'line' in error && typeof error.line === 'number') {
      throw new SyntaxError(error.message, error.line)
    }
    throw error
  }
}

interface FunctionScope {
  parent: FunctionScope | undefined
  blocks: Map<string, number>[]
  slots: number
}

class Resolver {
  readonly literals: Literal[] = []
  private scope!: FunctionScope
  /** The line of an interpolated string, whose expressions have no lines of their own. */
  private fixedLine: number | undefined
  private isPart = false

  resolveMain(body: luau.Block): FunctionNode {
    this.scope = { parent: undefined, blocks: [new Map()], slots: 0 }
    const statements = this.statements(body)
    return {
      name: 'main',
      line: 1,
      params: [],
      body: statements,
      slots: this.scope.slots,
    }
  }

  private lineOf(node: { line: { start: number } }): number {
    return this.fixedLine ?? node.line.start
  }

  private addLocal(name: string): number {
    const slot = this.scope.slots++
    this.scope.blocks.at(-1)?.set(name, slot)
    return slot
  }

  private reference(name: string, line: number): Target {
    let hops = 0
    for (let scope: FunctionScope | undefined = this.scope; scope; scope = scope.parent, hops++) {
      for (let depth = scope.blocks.length - 1; depth >= 0; depth--) {
        const slot = scope.blocks[depth]?.get(name)
        if (slot !== undefined) return { kind: 'local', name, hops, slot, line }
      }
    }
    return { kind: 'global', name, line }
  }

  private block(body: luau.Block): Block {
    this.scope.blocks.push(new Map())
    const statements = this.statements(body)
    this.scope.blocks.pop()
    return statements
  }

  private statements(body: luau.Block): Block {
    return body.statements.flatMap((statement) => this.statement(statement) ?? [])
  }

  private fn(node: luau.FunctionBody, name: string): FunctionNode {
    this.scope = { parent: this.scope, blocks: [new Map()], slots: 0 }
    const params = node.params.map((param) => this.addLocal(param.name))
    const body = this.statements(node.body)
    const { slots, parent } = this.scope
    if (parent) this.scope = parent
    return { name, line: this.lineOf(node), params, body, slots }
  }

  private statement(node: luau.Statement): Statement | undefined {
    const line = this.lineOf(node)
    switch (node.type) {
      case 'LocalStatement': {
        const values = node.init.map((value, index) => this.expression(value, node.names[index]?.name))
        const targets = node.names.map(({ name }): Target => ({
          kind: 'local',
          name,
          hops: 0,
          slot: this.addLocal(name),
          line,
        }))
        return { kind: 'assign', targets, values, line }
      }
      case 'LocalFunctionStatement': {
        const { name } = node.name
        const target: Target = { kind: 'local', name, hops: 0, slot: this.addLocal(name), line }
        return { kind: 'assign', targets: [target], values: [this.functionOf(node.func, name, line)], line }
      }
      case 'FunctionDeclarationStatement': {
        const { base, path, method } = node.target
        const keys = method ? [...path, method] : path
        const target = keys.reduce<Target>(
          (object, key) => ({ kind: 'index', object, key: { kind: 'constant', value: key.name, line }, line }),
          this.reference(base.name, line),
        )
        const name = [base, ...keys].map((part) => part.name).join('.')
        return {
          kind: 'assign',
          targets: [target],
          values: [this.functionOf(node.func, name, line)],
          line,
        }
      }
      case 'AssignmentStatement': {
        const values = node.values.map((value) => this.expression(value))
        return { kind: 'assign', targets: node.targets.map((target) => this.target(target)), values, line }
      }
      case 'CompoundAssignmentStatement': {
        const target = this.target(node.target)
        const right = this.expression(node.value)
        const operator = node.operator.slice(0, -1)
        const value: Expression =
          operator === '..'
            ? { kind: 'concat', parts: [target, right], line }
            : { kind: 'arithmetic', operator, left: target, right, line }
        return { kind: 'assign', targets: [target], values: [value], line }
      }
      case 'CallStatement':
        return { kind: 'call', call: this.expression(node.expression), line }
      case 'DoStatement':
        return { kind: 'do', body: this.block(node.body), line }
      case 'WhileStatement':
        return { kind: 'while', condition: this.expression(node.condition), body: this.block(node.body), line }
      case 'RepeatStatement': {
        // The condition sees the locals of the body.
        this.scope.blocks.push(new Map())
        const body = this.statements(node.body)
        const condition = this.expression(node.condition)
        this.scope.blocks.pop()
        return { kind: 'repeat', condition, body, line }
      }
      case 'IfStatement': {
        const clauses = node.clauses.map(({ condition, body }) => ({
          condition: this.expression(condition),
          body: this.block(body),
        }))
        return { kind: 'if', clauses, otherwise: node.alternate && this.block(node.alternate), line }
      }
      case 'NumericForStatement': {
        const [from, to] = [this.expression(node.start), this.expression(node.end)]
        const step = node.step && this.expression(node.step)
        this.scope.blocks.push(new Map())
        const slot = this.addLocal(node.variable.name)
        const body = this.block(node.body)
        this.scope.blocks.pop()
        return { kind: 'count', slot, from, to, step, body, line }
      }
      case 'GenericForStatement': {
        const iterators = node.iterators.map((iterator) => this.expression(iterator))
        this.scope.blocks.push(new Map())
        const slots = node.variables.map(({ name }) => this.addLocal(name))
        const body = this.block(node.body)
        this.scope.blocks.pop()
        return { kind: 'each', slots, iterators, body, line }
      }
      case 'ReturnStatement':
        return { kind: 'return', values: node.arguments.map((value) => this.expression(value)), line }
      case 'BreakStatement':
        return { kind: 'break', line }
      case 'ContinueStatement':
        return { kind: 'continue', line }
      case 'TypeAliasStatement':
      case 'ExportTypeAliasStatement':
        return undefined
    }
  }

  private functionOf(node: luau.FunctionBody, name: string, line: number): Expression {
    return { kind: 'function', fn: this.fn(node, name), line }
  }

  private target(node: luau.Expression): Target {
    const target = this.expression(node)
    if (target.kind === 'local' || target.kind === 'global' || target.kind === 'index') return target
    throw new SyntaxError('Only variables and fields can be assigned.', target.line)
  }

  private expression(node: luau.Expression, name = 'function'): Expression {
    const line = this.lineOf(node)
    switch (node.type) {
      case 'NilLiteral':
        return { kind: 'constant', value: null, line }
      case 'BooleanLiteral':
      case 'NumberLiteral':
      case 'StringLiteral':
        // Parts of a longer text are recorded once it is put together.
        if (typeof node.value === 'string' && !this.isPart) this.literals.push({ text: node.value, line })
        return { kind: 'constant', value: node.value, line }
      case 'Identifier':
        return this.reference(node.name, line)
      case 'VarargExpression':
        return { kind: 'varargs', line }
      case 'FunctionExpression':
        return this.functionOf(node.func, name, line)
      case 'InterpolatedStringExpression':
        return { kind: 'concat', parts: this.parts(node, line), line }
      case 'TableExpression':
        return { kind: 'table', items: node.fields.map((field) => this.field(field)), line }
      case 'BinaryExpression':
        return this.binary(node, line)
      case 'UnaryExpression': {
        const kind = node.operator === '-' ? 'minus' : node.operator === '#' ? 'length' : 'not'
        return { kind, operand: this.expression(node.argument), line }
      }
      case 'MemberExpression': {
        const key: Expression = { kind: 'constant', value: node.property.name, line: this.lineOf(node.property) }
        return { kind: 'index', object: this.expression(node.object), key, line }
      }
      case 'IndexExpression':
        return { kind: 'index', object: this.expression(node.object), key: this.expression(node.index), line }
      case 'CallExpression':
        return this.call(node, this.expression(node.callee), undefined)
      case 'MethodCallExpression':
        return this.call(node, this.expression(node.object), node.method.name)
      case 'ParenthesizedExpression':
        return { kind: 'single', operand: this.expression(node.expression), line }
      case 'TypeAssertionExpression':
        return this.expression(node.expression)
      case 'IfElseExpression': {
        const clauses = node.clauses.map(({ condition, body }) => ({
          condition: this.expression(condition),
          value: this.expression(body),
        }))
        return { kind: 'conditional', clauses, otherwise: this.expression(node.alternate), line }
      }
    }
  }

  private call(
    node: luau.CallExpression | luau.MethodCallExpression,
    callee: Expression,
    method: string | undefined,
  ): Expression {
    // A chain of calls starts at its first line; what matters is the line of this call's name.
    const line = this.fixedLine ?? (node.type === 'CallExpression' ? callee.line : node.method.line.start)
    const args = node.arguments.map((argument) => this.expression(argument))
    return { kind: 'call', callee, method, args, line, endLine: this.fixedLine ?? node.line.end }
  }

  private parts(node: luau.InterpolatedStringExpression, line: number): Expression[] {
    const outer = this.fixedLine
    this.fixedLine = line
    const parts = node.parts.map((part): Expression =>
      part.kind === 'string' ? { kind: 'constant', value: part.value, line } : this.expression(part.expression),
    )
    this.fixedLine = outer
    return parts
  }

  private part(node: luau.Expression): Expression {
    this.isPart = node.type === 'StringLiteral'
    const part = this.expression(node)
    this.isPart = false
    return part
  }

  private field(field: luau.TableField): { key: Expression | undefined; value: Expression } {
    if (field.type === 'TableFieldPositional') return { key: undefined, value: this.expression(field.value) }
    if (field.type === 'TableFieldComputed') {
      return { key: this.expression(field.key), value: this.expression(field.value) }
    }
    const key: Expression = { kind: 'constant', value: field.name.name, line: this.lineOf(field.name) }
    return { key, value: this.expression(field.value, field.name.name) }
  }

  private binary(node: luau.BinaryExpression, line: number): Expression {
    if (node.operator === '..') {
      const parts: Expression[] = []
      let rest: luau.Expression = node
      while (rest.type === 'BinaryExpression' && rest.operator === '..') {
        parts.push(this.part(rest.left))
        rest = rest.right
      }
      parts.push(this.part(rest))
      return { kind: 'concat', parts, line }
    }
    const [left, right] = [this.expression(node.left), this.expression(node.right)]
    if (node.operator === 'and' || node.operator === 'or') {
      return { kind: 'logical', operator: node.operator, left, right, line }
    }
    return { kind: 'arithmetic', operator: node.operator, left, right, line }
  }
}
