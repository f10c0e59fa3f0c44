// The server's source files with their types, from TypeScript's own checker.
import path from 'node:path'
import {
  type CallExpression,
  isCallExpression,
  isIdentifier,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Checker, SymbolFlags, type Symbol, type Type } from 'typescript/unstable/sync'
import { calledName } from './nodes.ts'

/** How deep the properties of a type are searched for expressions of SQL. */
const MAX_DEPTH = 2

const membersOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type])

export class Program {
  /** All `sql` tags, in the order of the files. */
  readonly tags: TaggedTemplateExpression[] = []
  readonly calls: CallExpression[] = []
  readonly #root: string
  readonly #api: API
  readonly #checker: Checker
  readonly #symbols = new Map<Node, Symbol | undefined>()
  readonly #callsByName: Map<string, CallExpression[]>

  /** Opens the project of `tsconfig.json` in a folder and reads all of its files for which `isIncluded` is true. */
  constructor(root: string, isIncluded: (file: string) => boolean) {
    this.#root = root
    this.#api = new API({ cwd: root })
    const config = path.join(root, 'tsconfig.json')
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} is no TypeScript project.`)
    this.#checker = project.checker
    for (const file of project.program.getSourceFileNames()) {
      const source = isIncluded(path.relative(root, file)) && project.program.getSourceFile(file)
      if (source) this.#collect(source)
    }
    this.#callsByName = Map.groupBy(this.calls, (call) => calledName(call)?.text ?? '')
  }

  #collect(node: Node): void {
    if (isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === 'sql') this.tags.push(node)
    if (isCallExpression(node)) this.calls.push(node)
    node.forEachChild((child) => this.#collect(child))
  }

  close(): void {
    this.#api.close()
  }

  /** `file:line` of a node. */
  locate(node: Node): string {
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    return `${path.relative(this.#root, source.fileName)}:${line + 1}`
  }

  /** The symbol that a name refers to, behind imports. */
  symbolOf(node: Node): Symbol | undefined {
    if (!this.#symbols.has(node)) this.#symbols.set(node, this.#findSymbol(node))
    return this.#symbols.get(node)
  }

  #findSymbol(node: Node): Symbol | undefined {
    const isShorthand = isShorthandPropertyAssignment(node.parent) && node.parent.name === node
    const symbol = isShorthand
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  declarationOf(node: Node): Node | undefined {
    return this.symbolOf(node)?.valueDeclaration?.resolve()
  }

  /** The calls of the function with this name. */
  callsOf(name: Node): CallExpression[] {
    const symbol = this.symbolOf(name)
    return (this.#callsByName.get(name.getText()) ?? []).filter((call) => {
      const called = calledName(call)
      return called && this.symbolOf(called)?.id === symbol?.id
    })
  }

  typeOf(node: Node): Type | undefined {
    return this.#checker.getTypeAtLocation(node)
  }

  propertiesOf(type: Type): { name: string; type: Type | undefined; isOptional: boolean }[] {
    return this.#checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      type: this.#checker.getTypeOfSymbol(symbol),
      isOptional: (symbol.flags & SymbolFlags.Optional) !== 0,
    }))
  }

  typeArgumentsOf(type: Type): readonly Type[] {
    return type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
  }

  isArray(type: Type): boolean {
    return this.#checker.isArrayLikeType(type)
  }

  /** Whether a value of the type is, or may be, an expression of SQL. */
  isFragment(type: Type): boolean {
    return membersOf(type).some((each) => this.#checker.getPropertyOfType(each, 'toOperationNode') !== undefined)
  }

  /** Whether an object or list of the type has expressions of SQL. */
  hasFragments(type: Type, depth = MAX_DEPTH): boolean {
    return membersOf(type).some((member) => {
      if (!member.isObjectType()) return false
      const parts = member.isTypeReference()
        ? this.typeArgumentsOf(member)
        : this.propertiesOf(member).map((property) => property.type)
      return parts.some((part) => part && (this.isFragment(part) || (depth > 1 && this.hasFragments(part, depth - 1))))
    })
  }

  display(type: Type): string {
    return this.#checker.typeToString(type)
  }
}
