export type LuauTokenKind = 'comment' | 'string' | 'number' | 'name' | 'symbol'

export interface LuauToken {
  kind: LuauTokenKind
  text: string
  /** Number of line breaks before the token. */
  breaks: number
  /** Whether the token directly follows the one before it. */
  isAdjacent: boolean
}

export type Pause = () => Promise<void>

/** Tokens between pauses: a few milliseconds of work. */
export const TOKENS_PER_SLICE = 10_000
const MAX_STRING_DEPTH = 20

const SPACE = /[ \t\v\f\r\n]*/y
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?/y
const NAME = /[A-Za-z_]\w*/y
const LONG_OPEN = /\[(=*)\[/y
const LINE_COMMENT = /--[^\r\n]*/y
const SYMBOL = /\.\.\.|\.\.=|\/\/=|::|->|\.\.|\/\/|[=~<>+\-*/%^]=|[-+*/%^#=~<>(){}[\];:,.?|&@!]/y

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0]
}

/** The text of a long bracket, such as `[==[ ... ]==]`, or undefined if there is none or it has no end. */
function longBracketAt(text: string, index: number): string | undefined {
  const open = matchAt(LONG_OPEN, text, index)
  if (open === undefined) return undefined
  const close = open.replaceAll('[', ']')
  const end = text.indexOf(close, index + open.length)
  return end < 0 ? undefined : text.slice(index, end + close.length)
}

/** The text of a string in single or double quotes, or undefined if it has no end. */
function quotedAt(text: string, index: number): string | undefined {
  const quote = text[index]
  for (let i = index + 1; i < text.length; i++) {
    const character = text[i]
    if (character === quote) return text.slice(index, i + 1)
    if (character === '\n' || character === '\r') return undefined
    if (character !== '\\') continue
    i++
    // Skips the line break of a string that continues on the next line, and the space that `\z` skips.
    if (text[i] === '\r' && text[i + 1] === '\n') i++
    else if (text[i] === 'z') while (/\s/.test(text[i + 1] ?? '')) i++
  }
  return undefined
}

/** The text of an interpolated string, with the strings and braces inside its expressions. */
function interpolatedAt(text: string, index: number, level = 0): string | undefined {
  if (level > MAX_STRING_DEPTH) return undefined
  let depth = 0
  for (let i = index + 1; i < text.length; i++) {
    const character = text[i]
    if (character === '\\') i++
    else if (depth === 0 && character === '`') return text.slice(index, i + 1)
    else if (character === '{') depth++
    else if (character === '}') depth = Math.max(0, depth - 1)
    else if (depth > 0 && (character === '"' || character === "'")) {
      const inner = quotedAt(text, i)
      if (inner === undefined) return undefined
      i += inner.length - 1
    } else if (depth > 0 && character === '`') {
      const inner = interpolatedAt(text, i, level + 1)
      if (inner === undefined) return undefined
      i += inner.length - 1
    }
  }
  return undefined
}

function tokenAt(text: string, index: number): [kind: LuauTokenKind, text: string] | undefined {
  const character = text[index] ?? ''
  if (text.startsWith('--', index)) {
    const block = longBracketAt(text, index + 2)
    if (block !== undefined) return ['comment', `--${block}`]
    // A block comment without an end.
    if (matchAt(LONG_OPEN, text, index + 2) !== undefined) return undefined
    return ['comment', matchAt(LINE_COMMENT, text, index) ?? '--']
  }
  if (character === '`') return asToken('string', interpolatedAt(text, index))
  if (character === '"' || character === "'") return asToken('string', quotedAt(text, index))
  if (character === '[' && matchAt(LONG_OPEN, text, index) !== undefined) {
    return asToken('string', longBracketAt(text, index))
  }
  return (
    asToken('number', matchAt(NUMBER, text, index)) ??
    asToken('name', matchAt(NAME, text, index)) ??
    asToken('symbol', matchAt(SYMBOL, text, index))
  )
}

const asToken = (kind: LuauTokenKind, text: string | undefined): [LuauTokenKind, string] | undefined =>
  text === undefined ? undefined : [kind, text]

/** Whether two tokens remain separate tokens without space between them. */
export const canTouch = (left: string, right: string): boolean => tokenAt(left + right, 0)?.[1] === left

const countBreaks = (space: string) => space.split(/\r\n|\r|\n/).length - 1

/** The tokens of Luau code. Undefined if a part is not a token, such as a string without an end. Linear time. */
export async function scanLuau(code: string, pause: Pause): Promise<LuauToken[] | undefined> {
  const tokens: LuauToken[] = []
  let index = 0
  for (;;) {
    const space = matchAt(SPACE, code, index) ?? ''
    index += space.length
    if (index >= code.length) return tokens
    const token = tokenAt(code, index)
    if (!token || token[1] === '') return undefined
    const isAdjacent = space === ''
    tokens.push({ kind: token[0], text: token[1], breaks: isAdjacent ? 0 : countBreaks(space), isAdjacent })
    index += token[1].length
    if (tokens.length % TOKENS_PER_SLICE === 0) await pause()
  }
}
