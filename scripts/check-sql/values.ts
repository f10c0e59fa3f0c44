// What the expressions that build an SQL text evaluate to without running.
import type { Node } from 'typescript/unstable/ast'
import type { Type } from 'typescript/unstable/sync'

/** A value that is sent as a parameter. */
export interface Parameter {
  node: Node
  type: Type | undefined
}

export type Part = string | Parameter

export type Value =
  | { kind: 'sql'; parts: Part[] }
  | { kind: 'text'; text: string; node: Node }
  | { kind: 'list'; items: Value[] }
  /** A function or an object literal. */
  | { kind: 'code'; node: Node; scope: Scope }
  /** `undefined`, `null` or `false`. */
  | { kind: 'nothing'; node: Node }
  | { kind: 'unknown'; node: Node }

/** The values of parameters and variables, by the id of their symbol. */
export type Scope = ReadonlyMap<number, () => Value>

export const EMPTY: Scope = new Map()

export const unknown = (node: Node): Value => ({ kind: 'unknown', node })

/** An expression that only a running server can evaluate. */
export class UnresolvedError extends Error {}

/** This combination of branches throws, so it sends no statement. */
export class DeadBranchError extends Error {}
