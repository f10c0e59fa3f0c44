// The syntax tree that the interpreter runs: 14 kinds of expressions and 9 of statements, with locals resolved to slots.

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
  line: number
  /** Slots of the parameters, `self` of a method included. */
  params: number[]
  body: Block
  slots: number
}

export interface Literal {
  text: string
  line: number
}
