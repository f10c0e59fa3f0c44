// Evaluates the part of TypeScript with which the server builds SQL: constants, conditions, lists and calls of functions.
import {
  type BinaryExpression,
  type BindingElement,
  type CallExpression,
  type ElementAccessExpression,
  isArrayLiteralExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isExpressionStatement,
  isForOfStatement,
  isIdentifier,
  isIfStatement,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isThrowStatement,
  isVariableDeclaration,
  type Node,
  type ObjectLiteralExpression,
  type ParameterDeclaration,
  type PropertyAccessExpression,
  SyntaxKind,
  type TaggedTemplateExpression,
  type TemplateExpression,
  type VariableDeclaration,
} from 'typescript/unstable/ast'
import type { Branches } from './branches.ts'
import { isTrue } from './conditions.ts'
import { indexOf, isFunction, isNothing, keyOf, nameOf, unwrap } from './nodes.ts'
import type { Program } from './program.ts'
import { DeadBranchError, EMPTY, type Scope, unknown, UnresolvedError, type Value } from './values.ts'

const MAX_DEPTH = 60
/** Methods whose result has the same elements, as far as SQL is concerned. */
const SAME_ELEMENTS = /^(toSorted|slice|toReversed|trim)$/

export abstract class Evaluator {
  protected readonly program: Program
  readonly branches: Branches
  #depth = 0

  constructor(program: Program, branches: Branches) {
    this.program = program
    this.branches = branches
  }

  protected abstract evaluateTag(node: TaggedTemplateExpression, scope: Scope): Value
  protected abstract evaluateSqlMethod(name: string, node: CallExpression, scope: Scope): Value

  evaluate(expression: Node, scope: Scope): Value {
    if (++this.#depth > MAX_DEPTH) throw new UnresolvedError(expression.getText())
    try {
      return this.#evaluateNode(unwrap(expression), scope)
    } finally {
      this.#depth--
    }
  }

  #evaluateNode(node: Node, scope: Scope): Value {
    if (isTaggedTemplateExpression(node)) return this.evaluateTag(node, scope)
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isNumericLiteral(node))
      return { kind: 'text', text: node.text, node }
    if (isTemplateExpression(node)) return this.#evaluateTemplate(node, scope)
    if (isConditionalExpression(node))
      return this.evaluate(isTrue(this, node.condition, scope) ? node.whenTrue : node.whenFalse, scope)
    if (isBinaryExpression(node)) return this.#evaluateBinary(node, scope)
    if (isNothing(node)) return { kind: 'nothing', node }
    if (isIdentifier(node)) return this.#evaluateName(node, scope)
    if (isPropertyAccessExpression(node)) return this.#evaluateProperty(node, scope)
    if (isElementAccessExpression(node)) return this.#evaluateElement(node, scope)
    if (isArrayLiteralExpression(node)) return { kind: 'list', items: this.#spread(node.elements, scope) }
    if (isCallExpression(node)) return this.#evaluateCall(node, scope)
    if (isObjectLiteralExpression(node) || isFunction(node)) return { kind: 'code', node, scope }
    return unknown(node)
  }

  #evaluateTemplate(node: TemplateExpression, scope: Scope): Value {
    let text = node.head.text
    for (const { expression, literal } of node.templateSpans) {
      const inner = this.textOf(this.evaluate(expression, scope), expression)
      if (inner === undefined) return unknown(node)
      text += inner + literal.text
    }
    return { kind: 'text', text, node }
  }

  #evaluateBinary(node: BinaryExpression, scope: Scope): Value {
    const { left, right, operatorToken } = node
    if (operatorToken.kind === SyntaxKind.AmpersandAmpersandToken)
      return isTrue(this, left, scope) ? this.evaluate(right, scope) : { kind: 'nothing', node }
    if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) {
      const value = this.evaluate(left, scope)
      if (value.kind === 'nothing') return this.evaluate(right, scope)
      return value.kind === 'unknown' || this.branches.isTruthy(left.getText()) ? value : this.evaluate(right, scope)
    }
    if (operatorToken.kind !== SyntaxKind.PlusToken) return unknown(node)
    const [start, end] = [left, right].map((each) => this.textOf(this.evaluate(each, scope), each))
    return start === undefined || end === undefined ? unknown(node) : { kind: 'text', text: start + end, node }
  }

  /** A text that is known, or one of the few that its type allows. */
  textOf(value: Value, node: Node): string | undefined {
    if (value.kind === 'text') return value.text
    const type = value.kind === 'unknown' ? this.program.typeOf(value.node) : undefined
    const types = type?.isUnionType() ? type.getTypes() : type ? [type] : []
    const texts = types.flatMap((each) => (each.isStringLiteralType() ? [each.value] : []))
    if (texts.length === 0 || texts.length < types.length) return undefined
    return this.branches.choose(`text ${node.getText()}`, texts)
  }

  #evaluateName(node: Node, scope: Scope): Value {
    const symbol = this.program.symbolOf(node)
    const bound = symbol && scope.get(symbol.id)
    if (bound) return bound()
    const declaration = symbol?.valueDeclaration?.resolve()
    return declaration ? this.#evaluateDeclaration(declaration, node, scope) : unknown(node)
  }

  #evaluateDeclaration(declaration: Node, node: Node, scope: Scope): Value {
    if (isVariableDeclaration(declaration)) {
      if (declaration.initializer) return this.#withPushed(declaration, scope)
      const loop = declaration.parent.parent
      return isForOfStatement(loop) ? this.#chooseItem(this.items(loop.expression, scope), node) : unknown(node)
    }
    if (isFunction(declaration)) return { kind: 'code', node: declaration, scope }
    if ((isPropertyAssignment(declaration) || isPropertyDeclaration(declaration)) && declaration.initializer)
      return this.evaluate(declaration.initializer, scope)
    if (isBindingElement(declaration)) {
      const owner = declaration.parent.parent
      if (!isVariableDeclaration(owner) && !isParameterDeclaration(owner)) return unknown(node)
      return this.#part(this.#evaluateDeclaration(owner, node, scope), declaration, node)
    }
    return isParameterDeclaration(declaration) ? this.#evaluateArgument(declaration, node) : unknown(node)
  }

  /** What a destructuring pattern takes from a value. */
  #part(whole: Value, element: BindingElement, node: Node): Value {
    if (whole.kind === 'nothing') throw new DeadBranchError()
    if (whole.kind === 'list') return whole.items[indexOf(element)] ?? unknown(node)
    const key = (element.propertyName ?? element.name)?.getText() ?? ''
    const value = whole.kind === 'code' ? this.#member(whole, key) : whole
    if (value) return value.kind === 'unknown' ? unknown(node) : value
    return element.initializer ? this.evaluate(element.initializer, EMPTY) : { kind: 'nothing', node }
  }

  /** A parameter of a function that is evaluated by itself: the argument of one of its calls. */
  #evaluateArgument(declaration: ParameterDeclaration, node: Node): Value {
    const type = this.program.typeOf(node)
    const owner = declaration.parent
    const name = nameOf(owner)
    if (!name || !type || !isFunction(owner)) return unknown(node)
    const isText = this.program.display(type) === 'string'
    const isObject = declaration !== this.program.declarationOf(node) || this.program.hasFragments(type)
    if (!isText && !isObject && !this.program.isFragment(type)) return unknown(node)
    const calls = this.program.callsOf(name)
    const call = this.branches.chooseFrom(`call ${this.program.locate(owner)}`, calls)
    if (!call) return unknown(node)
    const argument = call.arguments[owner.parameters.indexOf(declaration)] ?? declaration.initializer
    return argument ? this.evaluate(argument, EMPTY) : { kind: 'nothing', node }
  }

  /** A variable with its initial value and, for a list, what the function adds to it. */
  #withPushed({ initializer, name, parent }: VariableDeclaration, scope: Scope): Value {
    if (!initializer) throw new UnresolvedError(name.getText())
    const value = this.evaluate(initializer, scope)
    const block = parent.parent.parent
    if (value.kind !== 'list' || !isBlock(block)) return value
    const items = [...value.items]
    const visit = (node: Node): void => {
      if (isIfStatement(node)) {
        const branch = isTrue(this, node.expression, scope) ? node.thenStatement : node.elseStatement
        if (branch) visit(branch)
      } else if (isExpressionStatement(node) && isCallExpression(node.expression)) {
        const call = node.expression
        if (call.expression.getText() === `${name.getText()}.push`) items.push(...this.#spread(call.arguments, scope))
      } else node.forEachChild(visit)
    }
    if (block.getText().includes(`${name.getText()}.push(`)) block.statements.forEach(visit)
    return { kind: 'list', items }
  }

  #spread(elements: readonly Node[], scope: Scope): Value[] {
    return elements.flatMap((element) =>
      isSpreadElement(element) ? this.items(element.expression, scope) : [this.evaluate(element, scope)],
    )
  }

  protected items(node: Node, scope: Scope): Value[] {
    const value = this.evaluate(node, scope)
    if (value.kind === 'list') return value.items
    return [unknown(value.kind === 'unknown' ? value.node : node)]
  }

  #chooseItem(items: readonly Value[], node: Node): Value {
    return this.branches.chooseFrom(`item ${this.program.locate(node)}`, items) ?? unknown(node)
  }

  #evaluateProperty(node: PropertyAccessExpression, scope: Scope): Value {
    const owner = this.evaluate(node.expression, scope)
    if (owner.kind === 'nothing') {
      if (node.questionDotToken) return owner
      throw new DeadBranchError()
    }
    const member = owner.kind === 'code' ? this.#member(owner, node.name.getText()) : undefined
    if (member) return member
    const declaration = this.program.declarationOf(node.name)
    return declaration &&
      (isPropertyAssignment(declaration) || isPropertyDeclaration(declaration) || isFunction(declaration))
      ? this.#evaluateDeclaration(declaration, node, EMPTY)
      : unknown(node)
  }

  /** A property of an object literal, whose last definition counts. */
  #member(owner: Value, name: string): Value | undefined {
    if (owner.kind !== 'code' || !isObjectLiteralExpression(owner.node)) return undefined
    for (const property of owner.node.properties.toReversed()) {
      if (isSpreadAssignment(property)) {
        const value = this.#member(this.evaluate(property.expression, owner.scope), name)
        if (value) return value
      }
      if (isSpreadAssignment(property) || keyOf(property) !== name) continue
      if (isPropertyAssignment(property)) return this.evaluate(property.initializer, owner.scope)
      if (isShorthandPropertyAssignment(property)) return this.#evaluateName(property.name, owner.scope)
      if (isMethodDeclaration(property)) return { kind: 'code', node: property, scope: owner.scope }
    }
    return undefined
  }

  #evaluateElement(node: ElementAccessExpression, scope: Scope): Value {
    const owner = this.evaluate(node.expression, scope)
    if (owner.kind === 'list') return this.#chooseItem(owner.items, node)
    if (owner.kind !== 'code' || !isObjectLiteralExpression(owner.node)) return unknown(node)
    const { argumentExpression, parent } = node
    const index = this.evaluate(argumentExpression, scope)
    const key =
      index.kind === 'text'
        ? index.text
        : this.branches.choose(
            `text ${argumentExpression.getText()}`,
            owner.node.properties.filter((each) => !isSpreadAssignment(each)).map(keyOf),
          )
    return (key !== undefined && this.#member(owner, key)) || { kind: 'nothing', node: parent }
  }

  #evaluateCall(node: CallExpression, scope: Scope): Value {
    const { expression: callee } = node
    if (isPropertyAccessExpression(callee)) {
      const value = this.#evaluateMethod(node, callee, scope)
      if (value) return value
    }
    const called = this.evaluate(callee, scope)
    const values = node.arguments.map((each) => () => this.evaluate(each, scope))
    return called.kind === 'code' ? this.#callFunction(called.node, values, called.scope, node) : unknown(node)
  }

  /** The result of a method of Kysely, of a list or of `Object`; undefined for other methods. */
  #evaluateMethod(
    node: CallExpression,
    { expression, name }: PropertyAccessExpression,
    scope: Scope,
  ): Value | undefined {
    const method = name.getText()
    const [first] = node.arguments
    if (expression.getText() === 'sql') return this.evaluateSqlMethod(method, node, scope)
    if (/^(\$castTo|\$notNull|as)$/.test(method) || SAME_ELEMENTS.test(method)) return this.evaluate(expression, scope)
    if (method === 'map' || method === 'flatMap')
      return this.#evaluateMap(node, expression, scope, method === 'flatMap')
    if (method === 'filter')
      return { kind: 'list', items: this.items(expression, scope).filter(({ kind }) => kind !== 'nothing') }
    if (method === 'concat')
      return { kind: 'list', items: [expression, ...node.arguments].flatMap((each) => this.items(each, scope)) }
    if (method === 'join') return this.#evaluateJoin(node, expression, scope)
    if (expression.getText() !== 'Object' || !first) return undefined
    const owner = this.evaluate(first, scope)
    if (owner.kind !== 'code' || !isObjectLiteralExpression(owner.node)) return undefined
    return { kind: 'list', items: this.#entriesOf(owner, owner.node, method) }
  }

  #entriesOf(owner: Value, { properties }: ObjectLiteralExpression, method: string): Value[] {
    return properties.map((property) => {
      if (isSpreadAssignment(property)) return { kind: 'list', items: [unknown(property), unknown(property)] }
      const text = keyOf(property)
      const key: Value = { kind: 'text', text, node: property }
      const value = this.#member(owner, text) ?? unknown(property)
      return method === 'keys' ? key : method === 'values' ? value : { kind: 'list', items: [key, value] }
    })
  }

  #evaluateMap(node: CallExpression, list: Node, scope: Scope, isFlat: boolean): Value {
    const [argument] = node.arguments
    const mapper = argument && this.evaluate(argument, scope)
    if (mapper?.kind !== 'code') return unknown(node)
    const items = this.items(list, scope).map((item, i) => {
      const index: Value = { kind: 'text', text: String(i), node }
      return this.#callFunction(mapper.node, [() => item, () => index], mapper.scope, node)
    })
    if (!isFlat) return { kind: 'list', items }
    return { kind: 'list', items: items.flatMap((item) => (item.kind === 'list' ? item.items : [item])) }
  }

  /** A list that is not known is joined as an empty one. */
  #evaluateJoin(node: CallExpression, list: Node, scope: Scope): Value {
    const [separator] = node.arguments
    const value = this.evaluate(list, scope)
    if (value.kind === 'unknown') return { kind: 'text', text: '', node }
    const between = separator ? this.textOf(this.evaluate(separator, scope), separator) : ','
    const texts = this.items(list, scope).map((item) => this.textOf(item, list))
    return between === undefined || texts.includes(undefined)
      ? unknown(node)
      : { kind: 'text', text: texts.join(between), node }
  }

  #callFunction(node: Node, values: readonly (() => Value)[], scope: Scope, call: Node): Value {
    if (!isFunction(node) || !node.body) return unknown(call)
    const inner = new Map(scope)
    for (const [i, { name, initializer, dotDotDotToken }] of node.parameters.entries()) {
      const missing = (): Value => (initializer ? this.evaluate(initializer, inner) : { kind: 'nothing', node: name })
      const rest = (): Value => ({ kind: 'list', items: values.slice(i).map((each) => each()) })
      this.#bind(name, dotDotDotToken ? rest : (values[i] ?? missing), inner)
    }
    if (!isBlock(node.body)) return this.evaluate(node.body, inner)
    return this.#run(node.body.statements, inner) ?? unknown(call)
  }

  #bind(name: Node, value: () => Value, scope: Map<number, () => Value>): void {
    if (isIdentifier(name)) {
      const symbol = this.program.symbolOf(name)
      if (symbol) scope.set(symbol.id, value)
      return
    }
    name.forEachChild((element) => {
      const inner = isBindingElement(element) && element.name
      if (inner) this.#bind(inner, () => this.#part(value(), element, inner), scope)
    })
  }

  /** The value that statements return. */
  #run(statements: readonly Node[], scope: Scope): Value | undefined {
    for (const statement of statements) {
      if (isThrowStatement(statement)) throw new DeadBranchError()
      if (isReturnStatement(statement))
        return statement.expression ? this.evaluate(statement.expression, scope) : { kind: 'nothing', node: statement }
      const branch = isIfStatement(statement)
        ? isTrue(this, statement.expression, scope)
          ? statement.thenStatement
          : statement.elseStatement
        : statement
      const inner = branch && isBlock(branch) ? branch.statements : branch && branch !== statement ? [branch] : []
      const result = this.#run(inner, scope)
      if (result) return result
    }
    return undefined
  }
}
