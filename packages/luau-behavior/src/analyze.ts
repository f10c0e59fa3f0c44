import { type Finding, UNREAD } from './capabilities.ts'
import { Findings, type HostOfCard } from './findings.ts'
import { Interpreter } from './interpreter.ts'
import { SyntaxError, type Token, tokenize, tokenizeAnyway } from './lexer.ts'
import { LimitError, type Limits } from './limits.ts'
import { measureShape } from './shape.ts'
import { parse } from './parser.ts'
import { NestingError } from './token-reader.ts'
import { searchWords } from './words.ts'

/** Version of the analyzer. Increment it when cards change, so that stored ones are recomputed. */
export const ANALYZER_VERSION = 6

export interface Card {
  /** In the order of `CAPABILITIES`. */
  capabilities: Finding[]
  /** Hosts of all URLs, with the first line of each. */
  hosts: HostOfCard[]
  /** The name of the obfuscator, `unknown` for one without a known mark, or null. */
  obfuscator: string | null
  /** What could not be looked into, and how often. */
  opaque: { reason: string; count: number }[]
}

const LIMITS: Limits = { steps: 80_000, maxSteps: 600_000, maxMs: 3000 }
/** Obfuscated code is mostly a virtual machine, which gives little. */
const OBFUSCATED_LIMITS: Limits = { steps: 20_000, maxSteps: 40_000, maxMs: 3000 }

/** Analyzes a script without running it. Any text gives a card. Takes at most a few hundred ms for a 1 MiB script. */
export function analyze(code: string, limits: Partial<Limits> = {}): Card {
  // Luau's strings are bytes.
  const source = Buffer.from(code, 'utf8').toString('latin1')
  const findings = new Findings(code)
  const { tokens, error } = split(source)
  const { obfuscator, isMinified } = measureShape(source, tokens)
  const limit = { ...(obfuscator === undefined ? LIMITS : OBFUSCATED_LIMITS), ...limits }
  const unread = error ? UNREAD.syntax : follow(source, tokens, findings, limit)
  if (unread !== undefined) {
    findings.addOpaque(unread)
    searchWords(tokens, findings, unread === UNREAD.limit)
  }
  const all = { line: 1, endLine: code.split('\n').length }
  if (obfuscator !== undefined) {
    findings.add('shape.obfuscated', 'code', all, obfuscator === 'unknown' ? 'the code is made unreadable' : obfuscator)
    findings.addOpaque(UNREAD.obfuscated)
  }
  if (isMinified) findings.add('shape.minified', 'code', all, 'names and line breaks are removed')
  findings.conclude()
  return {
    capabilities: findings.list(),
    hosts: findings.listHosts(),
    obfuscator: obfuscator ?? null,
    opaque: [...findings.opaque].map(([reason, count]) => ({ reason, count })),
  }
}

/** The tokens of a script, and the error after which they are incomplete. */
function split(source: string): { tokens: Token[]; error?: SyntaxError } {
  try {
    return { tokens: tokenize(source) }
  } catch (error) {
    if (error instanceof SyntaxError) return { tokens: tokenizeAnyway(source), error }
    throw error
  }
}

/** Runs a script on values that may be unknown. Returns why it could not be followed to its end, if so. */
function follow(source: string, tokens: Token[], findings: Findings, limits: Limits): string | undefined {
  try {
    const { main, literals } = parse(source, tokens)
    for (const { text, line } of literals) findings.recordText(text, line)
    new Interpreter(findings, limits).run(main)
    return undefined
  } catch (error) {
    // A stack overflow is a RangeError.
    if (error instanceof LimitError || error instanceof RangeError) return UNREAD.limit
    if (error instanceof SyntaxError) return UNREAD.syntax
    if (error instanceof NestingError) return UNREAD.nesting
    throw error
  }
}
