import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { SyntaxError } from './lexer.ts'
import { parse } from './parser.ts'
import { NestingError } from './token-reader.ts'
import { UNRESOLVED } from './unresolved.ts'
import { Closure } from './values.ts'

const MAX_TEXTS = 200

/** Evidence stands at the call that loads the text. Undefined if it does not parse, or too many texts are loaded. */
export function loadText(run: Run, text: string, site: Site): Closure | undefined {
  let main = run.texts.get(text)
  if (!main) {
    if (run.texts.size >= MAX_TEXTS) {
      run.findings.addOpaque(UNRESOLVED.texts)
      return undefined
    }
    try {
      const parsed = parse(text)
      for (const literal of parsed.literals) run.findings.recordText(literal.text, site.line)
      main = parsed.main
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof NestingError)) throw error
      run.findings.addOpaque(UNRESOLVED.code, site)
      return undefined
    }
    run.texts.set(text, main)
  }
  return run.create(new Closure(main, undefined, site))
}
