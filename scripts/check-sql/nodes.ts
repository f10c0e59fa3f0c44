// Parts of TypeScript's syntax tree.
import {
  type BindingElement,
  type CallExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNonNullExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isVariableDeclaration,
  type MemberName,
  type Node,
} from 'typescript/unstable/ast'

/** The expression without parentheses, assertions and `await`. */
export function unwrap(node: Node): Node {
  let inner = node
  while (
    isParenthesizedExpression(inner) ||
    isAsExpression(inner) ||
    isSatisfiesExpression(inner) ||
    isNonNullExpression(inner) ||
    isAwaitExpression(inner)
  )
    inner = inner.expression
  return inner
}

/** The name of the function or method that a call calls. */
export function calledName({ expression }: CallExpression): MemberName | undefined {
  if (isIdentifier(expression)) return expression
  return isPropertyAccessExpression(expression) ? expression.name : undefined
}

export const isFunction = (node: Node) =>
  isArrowFunction(node) || isFunctionDeclaration(node) || isFunctionExpression(node) || isMethodDeclaration(node)

/** The index of an element in its destructuring pattern. */
export function indexOf(element: BindingElement): number {
  let index = 0
  element.parent.forEachChild((child) => {
    if (child.pos < element.pos) index++
  })
  return index
}

export const isName = (node: Node) => isIdentifier(node) || isPropertyAccessExpression(node)

/** `undefined`, `null` or `false`. */
export const isNothing = (node: Node) => /^(undefined|null|false)$/.test(node.getText())

/** The key of a property without quotes. */
export const keyOf = ({ name }: { name?: Node | undefined }) => name?.getText().replaceAll(/^['"]|['"]$/g, '') ?? ''

/** The name by which a function is called. */
export function nameOf(node: Node): Node | undefined {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node)) return node.name
  const { parent } = node
  return isVariableDeclaration(parent) || isPropertyAssignment(parent) ? parent.name : undefined
}
