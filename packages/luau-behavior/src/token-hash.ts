// A hash that copies of a script share, whatever their layout, comments and names of locals.
import { createHash } from 'node:crypto'
import { toNumber } from './expression-parser.ts'
import { SyntaxError, type Token, tokenize, tokenizeAnyway } from './lexer.ts'
import { parse } from './parser.ts'
import { NestingError } from './token-reader.ts'

/** Shorter scripts are equal by chance. Enough bytes count as enough lines, because a copy may have everything on one line. */
const MIN_LINES = 10
const MIN_BYTES = 200
const BYTES_OF_MIN_LINES = 400

/**
 * SHA-256, in hexadecimal, of the tokens of a script. Comments and layout are left out, and locals are numbered by their
 * declarations, so a copy that was renamed and reformatted has the same hash. Globals, fields, types, strings and numbers
 * count. Other spellings of the same code are equal: the quotes and escapes of strings, the bases of numbers, calls without
 * brackets, the separators of tables and semicolons. Names count in a script that does not parse.
 *
 * Returns null for a script that is too short: under 200 bytes of tokens, or under 400 on less than 10 lines. Takes linear
 * time, about 0.2 s for 1 MiB.
 *
 * @example
 * hashTokens('local a = 1 …') === hashTokens('local count = 0x1 …')
 */
export function hashTokens(code: string): string | null {
  // Luau's strings are bytes.
  const source = Buffer.from(code, 'utf8').toString('latin1')
  const tokens = readTokens(source)
  const normalized = normalize(tokens)
  if (isShort(tokens, normalized)) return null
  return createHash('sha256').update(normalized, 'latin1').digest('hex')
}

/** The tokens, with locals if the script parses. */
function readTokens(source: string): Token[] {
  try {
    const tokens = tokenize(source)
    parse(source, tokens)
    return tokens
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof NestingError)) throw error
    // New tokens: the parser has numbered some names.
    return tokenizeAnyway(source)
  }
}

function isShort(tokens: readonly Token[], { length }: string): boolean {
  if (length >= BYTES_OF_MIN_LINES) return false
  return length < MIN_BYTES || new Set(tokens.slice(0, -1).map(({ line }) => line)).size < MIN_LINES
}

/** The tokens as text that can be split in one way only. */
function normalize(tokens: readonly Token[]): string {
  const parts: string[] = []
  /** Whether each open brace is the only argument of a call without brackets. */
  const braces: boolean[] = []
  for (const [index, token] of tokens.entries()) {
    const { kind, text } = token
    const isArgument = (kind === 'string' || (kind === 'symbol' && text === '{')) && isCallee(tokens[index - 1])
    if (isArgument) parts.push('(')
    if (!isLeftOut(token, tokens[index + 1])) parts.push(describe(token))
    if (kind === 'symbol' && text === '{') braces.push(isArgument)
    else if (isArgument || (kind === 'symbol' && text === '}' && braces.pop() === true)) parts.push(')')
  }
  return parts.join(' ')
}

/** Whether a separator changes nothing. A semicolon before a bracket separates a call from the value before it. */
function isLeftOut({ kind, text, isTerminator }: Token, next: Token | undefined): boolean {
  if (kind !== 'symbol') return false
  return isTerminator === true ? next?.text !== '(' : (text === ',' || text === ';') && next?.raw === '}'
}

/** Whether a string or a table after this token is the argument of a call. */
const isCallee = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'name' || token.kind === 'string' || (token.kind === 'symbol' && /^[)\]}]$/.test(token.text)))

function describe({ kind, text, raw, local, isTerminator }: Token): string {
  switch (kind) {
    case 'name':
      return local === undefined ? `.${text}` : `$${local}`
    case 'string':
    case 'interpolation':
    case 'interpolation-rest':
      return `${kind}${raw.endsWith('{') ? '{' : ''}${text.length}:${text}`
    case 'number':
      return describeNumber(text)
    case 'symbol':
      return text === ';' && isTerminator !== true ? ',' : text
    default:
      return text
  }
}

/** The value, unless two numbers may have the same. */
function describeNumber(text: string): string {
  const value = toNumber(text)
  return value === undefined || (value > Number.MAX_SAFE_INTEGER && /^0[xb]/i.test(text)) ? `#${text}` : `#${value}`
}
