// Prepares every SQL text of the server on the migrated database, and compares it with its TypeScript types.
import {
  type CallExpression,
  isCallExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import type { Type } from 'typescript/unstable/sync'
import { compare, compareColumn, type Difference } from './compare.ts'
import { composeStatements, type Statement } from './compose.ts'
import { calledName, unwrap } from './nodes.ts'
import type { Describe } from './prepare.ts'
import type { Program } from './program.ts'
import { UnresolvedError } from './values.ts'

export interface SqlReport {
  /** Errors of PostgreSQL, and differences between SQL and types, each with file and line. */
  problems: string[]
  /** The number of SQL texts that were prepared, as they are or as a part of another one. */
  checked: number
  /** With file, line and reason. */
  notChecked: string[]
}

/** A command of the protocol of replicas. */
const REPLICATION = /^(IDENTIFY_SYSTEM|BASE_BACKUP)/
const TABLE_METHODS = /^(selectFrom|updateTable|insertInto|deleteFrom|(inner|left|cross)Join)$/

export async function checkSql(program: Program, describe: Describe): Promise<SqlReport> {
  const checker = new SqlChecker(program, describe)
  for (const call of program.calls) await checker.checkCall(call)
  for (const tag of program.tags) await checker.checkFragment(tag)
  return checker.report()
}

class SqlChecker {
  readonly #program: Program
  readonly #describe: Describe
  readonly #problems = new Set<string>()
  readonly #checked = new Set<Node>()
  readonly #reasons = new Map<Node, string>()

  constructor(program: Program, describe: Describe) {
    this.#program = program
    this.#describe = describe
  }

  report(): SqlReport {
    const notChecked = [...this.#reasons].filter(([node]) => !this.#checked.has(node))
    return {
      problems: [...this.#problems],
      checked: this.#checked.size,
      notChecked: notChecked.map(([node, reason]) => `${this.#program.locate(node)}: ${reason}`),
    }
  }

  /** A call that sends a statement: `execute` and `compile` of a tag, and `query` of a client. */
  async checkCall(call: CallExpression): Promise<void> {
    const { expression: callee } = call
    const name = calledName(call)?.text
    const [first] = call.arguments
    if (!isPropertyAccessExpression(callee) || !first) return
    if (name === 'execute' || name === 'compile') {
      const receiver = this.#program.typeOf(callee.expression)
      if (receiver?.getSymbol()?.name !== 'RawBuilder') return
      await this.#checkStatements(unwrap(callee.expression), this.#program.typeArgumentsOf(receiver)[0])
    }
    if (name === 'query' && this.#isText(first)) {
      const [row] = call.typeArguments ?? []
      await this.#checkStatements(first, row && this.#program.typeOf(row))
    }
  }

  #isText(node: Node): boolean {
    const type = this.#program.typeOf(node)
    return type !== undefined && (type.isStringLiteralType() || this.#program.display(type) === 'string')
  }

  async #checkStatements(node: Node, row: Type | undefined): Promise<void> {
    const results: Difference[][] = []
    for (const statement of this.#compose(node)) {
      if (REPLICATION.test(statement.text)) {
        this.#reasons.set(node, 'a command for replicas')
        continue
      }
      const described = await this.#describe(statement.text)
      this.#markChecked(statement, node)
      results.push(
        described instanceof Error ? [{ text: described.message }] : compare(this.#program, statement, described, row),
      )
    }
    this.#report(node, results)
  }

  /** A type may allow more than some of the statements return, but not more than all of them. */
  #report(node: Node, results: readonly Difference[][]): void {
    for (const { text, isWide } of results.flat())
      if (!isWide || results.every((result) => result.some((each) => each.text === text)))
        this.#problems.add(`${this.#program.locate(node)}: ${text}`)
  }

  #compose(node: Node): Statement[] {
    try {
      return composeStatements(this.#program, node)
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error
      this.#reasons.set(node, `unknown until it runs: ${error.message.replaceAll(/\s+/g, ' ').slice(0, 80)}`)
      return []
    }
  }

  #markChecked({ tags }: Statement, node: Node): void {
    for (const part of tags.size === 0 ? [node] : tags) this.#checked.add(part)
  }

  /** A tag that no checked statement contains: a statement, or an expression of Kysely's query builder. */
  async checkFragment(tag: TaggedTemplateExpression): Promise<void> {
    if (this.#checked.has(tag)) return
    const sources = findTables(tag)
    const from = sources.length > 0 ? ` from ${sources.join(' cross join ')}` : ''
    const [argument] = tag.typeArguments ?? []
    const type = argument && this.#program.typeOf(argument)
    const results: Difference[][] = []
    for (const statement of this.#compose(tag)) {
      const expression = await this.#describe(`select (${statement.text})${from}`)
      const described = expression instanceof Error ? await this.#describe(statement.text) : expression
      if (described instanceof Error) {
        this.#reasons.set(tag, described.message)
        continue
      }
      this.#markChecked(statement, tag)
      const [column] = described.columns
      if (type && column && described.columns.length === 1)
        results.push(compareColumn(this.#program, statement.text, column, type))
    }
    this.#report(tag, results)
    if (!this.#checked.has(tag) && !this.#reasons.has(tag)) this.#reasons.set(tag, 'no branch')
  }
}

/** The tables that the query builder around a node names. */
function findTables(node: Node): string[] {
  const tables = new Set<string>()
  for (let outer = node.parent; outer; outer = outer.parent) {
    if (!isCallExpression(outer)) continue
    let call: Node = outer
    while (isCallExpression(call) && isPropertyAccessExpression(call.expression)) {
      const [table] = call.arguments
      if (TABLE_METHODS.test(call.expression.name.getText()) && table && isStringLiteral(table)) tables.add(table.text)
      call = unwrap(call.expression.expression)
    }
  }
  return [...tables]
}
