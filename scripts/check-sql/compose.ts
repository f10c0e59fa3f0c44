// Composes the texts of an SQL statement from the expressions that build it, without running them.
import {
  type CallExpression,
  isNoSubstitutionTemplateLiteral,
  isTemplateExpression,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { runBranches } from './branches.ts'
import { Evaluator } from './evaluate.ts'
import type { Program } from './program.ts'
import { DeadBranchError, EMPTY, type Parameter, type Part, type Scope, UnresolvedError, type Value } from './values.ts'

export interface Statement {
  text: string
  parameters: Parameter[]
  /** The tags that are part of the text. */
  tags: ReadonlySet<TaggedTemplateExpression>
}

/** All statements that an expression can result in. Throws `UnresolvedError`. */
export function composeStatements(program: Program, node: Node): Statement[] {
  const statements = runBranches((branches) => new Composer(program, branches).compose(node))
  return [...Map.groupBy(statements, ({ text }) => text).values()].flatMap(([first, ...same]) =>
    first ? [{ ...first, tags: new Set([first, ...same].flatMap(({ tags }) => [...tags])) }] : [],
  )
}

class Composer extends Evaluator {
  readonly #tags = new Set<TaggedTemplateExpression>()

  compose(node: Node): Statement {
    const value = this.evaluate(node, EMPTY)
    const text = value.kind === 'sql' ? undefined : this.textOf(value, node)
    if (value.kind !== 'sql' && text === undefined) throw new UnresolvedError(node.getText())
    const parts = value.kind === 'sql' ? value.parts : [text ?? '']
    const parameters: Parameter[] = []
    const placed = parts.map((part) => (typeof part === 'string' ? part : `$${parameters.push(part)}`))
    return { text: placed.join(''), parameters, tags: this.#tags }
  }

  protected override evaluateTag(node: TaggedTemplateExpression, scope: Scope): Value {
    this.#tags.add(node)
    const { template } = node
    if (isNoSubstitutionTemplateLiteral(template)) return { kind: 'sql', parts: [template.text] }
    if (!isTemplateExpression(template)) throw new UnresolvedError(node.getText())
    const parts: Part[] = [template.head.text]
    for (const { expression, literal } of template.templateSpans)
      parts.push(...this.#evaluatePart(expression, scope), literal.text)
    return { kind: 'sql', parts }
  }

  /** An expression inside of a tag: another fragment, or a value that becomes a parameter. */
  #evaluatePart(node: Node, scope: Scope): Part[] {
    const type = this.program.typeOf(node)
    if (type && !this.program.isFragment(type)) return [{ node, type }]
    const value = this.evaluate(node, scope)
    if (value.kind === 'sql') return value.parts
    const inner = value.kind === 'unknown' || value.kind === 'nothing' ? value.node : node
    const innerType = this.program.typeOf(inner)
    if (innerType && this.program.isFragment(innerType)) throw new UnresolvedError(node.getText())
    return [{ node: inner, type: innerType }]
  }

  protected override evaluateSqlMethod(name: string, node: CallExpression, scope: Scope): Value {
    const [first, second] = node.arguments
    if (!first) throw new UnresolvedError(node.getText())
    if (name === 'join') return this.#joinFragments(first, second, scope)
    if (name === 'val') return { kind: 'sql', parts: this.#evaluatePart(first, scope) }
    const text = this.textOf(this.evaluate(first, scope), first)
    if (name === 'lit') return { kind: 'sql', parts: [this.#toLiteral(text, first)] }
    if (text === undefined) throw new UnresolvedError(node.getText())
    if (name === 'raw') return { kind: 'sql', parts: [text] }
    const names =
      name === 'id' ? node.arguments.map((each) => this.textOf(this.evaluate(each, scope), each)) : text.split('.')
    return { kind: 'sql', parts: [names.map((each) => `"${each ?? ''}"`).join('.')] }
  }

  #toLiteral(text: string | undefined, node: Node): string {
    const type = this.program.typeOf(node)
    const shown = type ? this.program.display(type) : ''
    if (/^(number|-?\d)/.test(shown)) return text ?? '1'
    if (/^(boolean|true|false)/.test(shown)) return 'true'
    return `'${(text ?? '').replaceAll("'", "''")}'`
  }

  #joinFragments(list: Node, separator: Node | undefined, scope: Scope): Value {
    const between = separator ? this.#evaluatePart(separator, scope) : [', ']
    const items = this.items(list, scope)
    // No list in SQL is empty, so the code checks for it before.
    if (items.length === 0) throw new DeadBranchError()
    const parts = items.flatMap((item, i): Part[] => {
      const inner = item.kind === 'sql' ? item.parts : this.#toElement(item, list)
      return i === 0 ? inner : [...between, ...inner]
    })
    return { kind: 'sql', parts }
  }

  #toElement(item: Value, list: Node): Part[] {
    const type = this.program.typeOf(list)
    const [element] = type ? this.program.typeArgumentsOf(type) : []
    if (element && this.program.isFragment(element)) throw new UnresolvedError(list.getText())
    return [{ node: item.kind === 'unknown' ? item.node : list, type: element }]
  }
}
