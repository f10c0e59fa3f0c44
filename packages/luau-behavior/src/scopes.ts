import type { Token } from './lexer.ts'
import type { Target } from './syntax.ts'

interface Binding {
  /** Counts the locals of the script. */
  number: number
  slot: number
  /** How many functions are around the one that has the local. */
  depth: number
}

/** Resolves names to the slots of locals, in constant time however deep the code is nested. */
export class Scopes {
  /** The locals of each name, innermost last. */
  private readonly bindings = new Map<string, Binding[]>()
  /** The names that each open block declares. */
  private readonly blocks: string[][] = [[]]
  /** The number of slots of each open function. */
  private readonly functions: number[] = [0]
  private count = 0

  /** Declares the local that a token names, and numbers the token. */
  declare(token: Token): number {
    token.local = this.count
    return this.add(token.text)
  }

  add(name: string): number {
    const depth = this.functions.length - 1
    const slot = this.functions[depth] ?? 0
    this.functions[depth] = slot + 1
    const known = this.bindings.get(name)
    const binding = { number: this.count++, slot, depth }
    if (known) known.push(binding)
    else this.bindings.set(name, [binding])
    this.blocks.at(-1)?.push(name)
    return slot
  }

  declareTarget(token: Token, line: number): Target {
    return { kind: 'local', name: token.text, hops: 0, slot: this.declare(token), line }
  }

  /** The variable that a token names. Numbers the token if it is a local. */
  reference(token: Token, line: number): Target {
    const { text: name } = token
    const binding = this.bindings.get(name)?.at(-1)
    if (!binding) return { kind: 'global', name, line }
    token.local = binding.number
    return { kind: 'local', name, hops: this.functions.length - 1 - binding.depth, slot: binding.slot, line }
  }

  inBlock<T>(parse: () => T): T {
    this.blocks.push([])
    const result = parse()
    for (const name of this.blocks.pop() ?? []) this.bindings.get(name)?.pop()
    return result
  }

  /** Returns what was parsed, and the number of slots that the function needs. */
  inFunction<T>(parse: () => T): { result: T; slots: number } {
    this.functions.push(0)
    const result = this.inBlock(parse)
    return { result, slots: this.functions.pop() ?? 0 }
  }
}
