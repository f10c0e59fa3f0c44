import type { Finding } from './capabilities.ts'
import { Findings, type HostOfCard } from './findings.ts'
import { type Interpreter as Run, Interpreter } from './interpreter.ts'
import { LexError, type Token } from 'luau-parser'
import { tokenize, tokenizeAnyway } from './lexer.ts'
import { LimitError, type Limits } from './limits.ts'
import { measureShape } from './shape.ts'
import { NestingError, parse, SyntaxError } from './syntax.ts'
import { scanTokens } from './tokens.ts'

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

const LIMITS: Limits = { steps: 80_000, maxSteps: 600_000 }
/** Obfuscated code is mostly a virtual machine, which gives little. */
const OBFUSCATED_LIMITS: Limits = { steps: 20_000, maxSteps: 40_000 }

/** Analyzes a script without running it. Any text gives a card. Takes at most a few hundred ms for a 1 MiB script. */
export function analyze(code: string, limits: Partial<Limits> = {}): Card {
  // Luau's strings are bytes.
  const source = Buffer.from(code, 'utf8').toString('latin1')
  const findings = new Findings(code)
  const tokens = split(source)
  const { obfuscator, isMinified } = measureShape(source, tokens ?? tokenizeAnyway(source))
  read(source, tokens, findings, { ...(obfuscator === undefined ? LIMITS : OBFUSCATED_LIMITS), ...limits })
  const all = { line: 1, endLine: code.split('\n').length }
  if (obfuscator !== undefined) {
    findings.add('shape.obfuscated', 'code', all, obfuscator === 'unknown' ? 'the code is made unreadable' : obfuscator)
    findings.addOpaque('Obfuscated code')
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

function split(source: string): Token[] | undefined {
  try {
    return tokenize(source)
  } catch (error) {
    if (error instanceof LexError) return undefined
    throw error
  }
}

function read(source: string, tokens: Token[] | undefined, findings: Findings, limits: Limits): void {
  let run: Run | undefined
  try {
    const { main, literals } = parse(source, tokens)
    for (const { text, line } of literals) findings.recordText(text, line)
    run = new Interpreter(findings, limits)
    run.run(main)
  } catch (error) {
    if (error instanceof LimitError || error instanceof RangeError) {
      findings.addOpaque('The script is too large to be followed completely')
    } else if (error instanceof SyntaxError)
      findings.addOpaque('The script does not parse and was searched word by word')
    else if (error instanceof NestingError)
      findings.addOpaque('The script is nested too deeply and was searched word by word')
    else throw error
    scanTokens(source, findings)
  }
}
