// Compares what the parser says about a text with what Luau's compiler says.
import { SyntaxError } from '../src/lexer.ts'
import { parse } from '../src/parser.ts'

/**
 * What the parser lets pass, by the compiler's message: the analysis loses nothing by reading code that cannot run. The last
 * line is limits that only the compiler has.
 */
const COMPILER_ONLY = [
  /(?:break|continue) statement must be inside a loop/,
  /String literal contains malformed escape sequence|Double braces are not permitted|Malformed interpolated string/,
  /Malformed number/,
  /Ambiguous syntax: this looks like an argument list/,
  /Invalid attribute|Unknown argument type for @|Only literals can be passed as arguments for attributes/,
  /Cannot use '\.\.\.' outside of a vararg function/,
  /Mixing union and intersection types|Expected type, got|Expected '->'|got '::'/,
  /Missing initializer in const declaration|Assigned expression must be a variable or a field/,
  /got '[<;|&?]'$/,
  /exceeded limit|recursion depth|[Oo]ut of (?:local|upvalue|register)|too complex/,
]

/** What the parser says against a text, or null. */
export function errorOf(code: string): string | null {
  try {
    parse(Buffer.from(code).toString('latin1'))
    return null
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}

/** `stricter` if the compiler rejects what the parser is known to accept. `compilerSays` is its error, or null. */
export function compare(code: string, compilerSays: string | null): 'agree' | 'stricter' | 'disagree' {
  const isWrong = errorOf(code) !== null
  if (isWrong === (compilerSays !== null)) return 'agree'
  return compilerSays !== null && COMPILER_ONLY.some((known) => known.test(compilerSays)) ? 'stricter' : 'disagree'
}
