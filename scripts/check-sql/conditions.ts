// Whether conditions between the parts of an SQL text hold: known from their values, or one branch of both.
import {
  type BinaryExpression,
  type CallExpression,
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Branches } from './branches.ts'
import { isName, isNothing, unwrap } from './nodes.ts'
import { type Scope, unknown, type Value } from './values.ts'

interface Evaluator {
  branches: Branches
  evaluate: (node: Node, scope: Scope) => Value
  textOf: (value: Value, node: Node) => string | undefined
}

/** Whether a condition holds. Opposite conditions on the same value never hold both. */
export function isTrue(evaluator: Evaluator, condition: Node, scope: Scope): boolean {
  const node = unwrap(condition)
  const text = node.getText()
  if (isBinaryExpression(node)) return compares(evaluator, node, scope)
  if (isCallExpression(node)) return endsWith(evaluator, node, scope) ?? evaluator.branches.isTruthy(text)
  if (text.startsWith('!')) return !evaluator.branches.isTruthy(text.slice(1))
  const value = isIdentifier(node) ? evaluator.evaluate(node, scope) : unknown(node)
  return value.kind === 'unknown' || value.kind === 'text'
    ? evaluator.branches.isTruthy(text)
    : value.kind !== 'nothing'
}

/** `text.endsWith(text)` of texts that are known. */
function endsWith(
  evaluator: Evaluator,
  { expression: callee, arguments: [end] }: CallExpression,
  scope: Scope,
): boolean | undefined {
  if (!end || !isPropertyAccessExpression(callee) || callee.name.getText() !== 'endsWith') return undefined
  const [text, wanted] = [callee.expression, end].map((each) => evaluator.textOf(evaluator.evaluate(each, scope), each))
  return text === undefined || wanted === undefined ? undefined : text.endsWith(wanted)
}

function compares(evaluator: Evaluator, node: BinaryExpression, scope: Scope): boolean {
  const operator = node.operatorToken.kind
  const isEqual = operator === SyntaxKind.EqualsEqualsEqualsToken
  if (!isEqual && operator !== SyntaxKind.ExclamationEqualsEqualsToken) {
    const length = lengthOf(evaluator, node.left, scope)
    if (operator === SyntaxKind.GreaterThanToken && length !== undefined) return length > Number(node.right.getText())
    return evaluator.branches.isTruthy(node.getText())
  }
  const left = isName(node.left) ? evaluator.evaluate(node.left, scope) : unknown(node.left)
  if (isNothing(node.right)) {
    if (left.kind !== 'unknown') return (left.kind === 'nothing') === isEqual
    return evaluator.branches.isTruthy(node.left.getText()) !== isEqual
  }
  const [text, compared] = [
    evaluator.textOf(left, node.left),
    evaluator.textOf(evaluator.evaluate(node.right, scope), node.right),
  ]
  if (text !== undefined && compared !== undefined) return (text === compared) === isEqual
  return evaluator.branches.isTruthy(`${node.left.getText()} === ${node.right.getText()}`) === isEqual
}

/** The length of a list of SQL that is known. */
function lengthOf(evaluator: Evaluator, node: Node, scope: Scope): number | undefined {
  if (!isPropertyAccessExpression(node) || node.name.getText() !== 'length') return undefined
  const value = evaluator.evaluate(node.expression, scope)
  return value.kind === 'list' && value.items.every(({ kind }) => kind === 'sql') ? value.items.length : undefined
}
