// Splits a script into tokens as `luau-parser` takes them. The parser's own function for that needs several times as long
// as parsing, and does not know `\u{...}` or `continue` as a name.
import { LexError, type Token } from 'luau-parser'

type Span = Token['line']

const KEYWORDS = new Set(
  'and break do else elseif end for function if in local not or repeat return then until while'.split(' '),
)
const OPERATORS = new Set('+= -= *= /= //= %= ^= ..= == ~= <= >= // .. ... + - * / % ^ # < > ='.split(' '))
const SPACE = /[ \t\r\n\f\v]+/y
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y
const SYMBOL = /\.\.\.|\.\.=|\/\/=|::|->|[=~<>+\-*/%^]=|\.\.|\/\/|[-+*/%^#<>=(){}[\];:,.?&|@]/y
const LONG_OPEN = /\[(=*)\[/y
const PLAIN = { '"': /[^"\\\n]*/y, "'": /[^'\\\n]*/y, '`': /[^`\\{]*/y }
const ESCAPE = /x([\da-fA-F]{1,2})|u\{([\da-fA-F]+)\}|(\d{1,3})|z\s*|\r\n|[^]/y
const LETTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' }
/** Symbols of one character that begin no longer one. */
const SINGLE = new Set('(){}];,#&|@?')
const IS_WORD = Uint8Array.from({ length: 256 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))
/** Errors after which a line with another is left out. */
const MAX_ERRORS = 100
/** Columns are not used. */
const COLUMN: Span = { start: 1, end: 1 }

/** The tokens of a script whose characters are bytes; the last one is `EOF`. Throws LexError. */
export function tokenize(source: string): Token[] {
  return new Lexer(source).read()
}

/** The tokens of a script with errors: characters that belong to no token are left out. */
export function tokenizeAnyway(source: string): Token[] {
  return new Lexer(source).read(true)
}

class Lexer {
  private readonly tokens: Token[] = []
  private position = 0
  private line = 1
  private errors = 0
  /** Whether each block around the position is an `if` expression. */
  private readonly blocks: boolean[] = []
  /** Whether the last `then` or `else` is that of an `if` expression. */
  private isBranchValue = false
  /** The span of tokens that lie on the current line. */
  private span: Span = { start: 1, end: 1 }
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  read(isLenient = false): Token[] {
    const { source, tokens } = this
    if (source.startsWith('\u00EF\u00BB\u00BF')) this.position = 3
    if (source.startsWith('#!', this.position)) this.skipLine()
    while (this.position < source.length) {
      if (isLenient) this.nextAnyway()
      else this.next()
    }
    tokens.push({ type: 'EOF', line: this.span, column: COLUMN })
    return tokens
  }

  /** What a sticky pattern matches here, which is then passed; undefined if it does not match. */
  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.source)
    if (!match) return undefined
    this.position = pattern.lastIndex
    return match
  }

  private addLines(from: number): void {
    const before = this.line
    for (
      let index = this.source.indexOf('\n', from);
      index >= 0 && index < this.position;
      index = this.source.indexOf('\n', index + 1)
    )
      this.line++
    if (this.line !== before) this.span = { start: this.line, end: this.line }
  }

  private skipLine(): void {
    const end = this.source.indexOf('\n', this.position)
    this.position = end < 0 ? this.source.length : end
  }

  private fail(message: string): never {
    throw new LexError(message, this.line, 1)
  }

  private nextAnyway(): void {
    const { position } = this
    try {
      this.next()
    } catch (error) {
      if (!(error instanceof LexError)) throw error
      // A quote without its end often comes alone; many mean that the rest is no code.
      if (++this.errors < MAX_ERRORS) this.position = position + 1
      else this.skipLine()
      if (this.position === position) this.position++
    }
  }

  private next(): void {
    const { source, position } = this
    const code = source.charCodeAt(position)
    if (code <= 32) {
      if (code === 32 || code === 9) {
        this.position++
        return
      }
      if (!this.take(SPACE)) this.fail('Unexpected character')
      this.addLines(position)
    } else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) this.name()
    else if (code === 45 && source.charCodeAt(position + 1) === 45) this.comment()
    else if ((code >= 48 && code <= 57) || (code === 46 && isDigit(source.charCodeAt(position + 1)))) this.number()
    else if (code === 34 || code === 39) this.quoted(code === 34 ? '"' : "'")
    else if (code === 96) this.interpolated()
    else if (code === 91 && this.long()) return
    else this.symbol()
  }

  private name(): void {
    const { source, span: line } = this
    const start = this.position
    while (IS_WORD[source.charCodeAt(this.position)] === 1) this.position++
    const value = source.slice(start, this.position)
    if (KEYWORDS.has(value)) {
      this.nest(value)
      this.tokens.push({ type: 'Keyword', value, line, column: COLUMN } as Token)
    } else if (value === 'true' || value === 'false') {
      this.tokens.push({ type: 'Literal', kind: 'boolean', value: value === 'true', line, column: COLUMN })
    } else if (value === 'nil') this.tokens.push({ type: 'Literal', kind: 'nil', value: null, line, column: COLUMN })
    else if (value === 'continue' && this.isContinue()) {
      this.tokens.push({ type: 'Keyword', value, line, column: COLUMN })
    } else if (!this.isAccess(value)) this.tokens.push({ type: 'Identifier', value, line, column: COLUMN })
  }

  /** Whether a word, just passed, is that of a type such as `{ read name: string }`, which the parser does not know. */
  private isAccess(word: string): boolean {
    if (word !== 'read' && word !== 'write') return false
    const before = this.tokens.at(-1)
    if (before?.type !== 'Punctuator' || !/^[{,;]$/.test(before.value)) return false
    return /^\s+[A-Za-z_]\w*\s*:(?!:)/.test(this.source.slice(this.position, this.position + 200))
  }

  /** Whether `continue`, just passed, is the statement: it is a name in a value, and where something is done with it. */
  private isContinue(): boolean {
    const before = this.tokens.at(-1)
    if (this.isInValue(before)) return false
    if (before?.type === 'Keyword' && /^(?:local|for|function)$/.test(before.value)) return false
    return !/^\s*(?:=(?!=)|[-+*/%^]=|\.|\(|\[|:|,|"|'|\{)/.test(this.source.slice(this.position, this.position + 60))
  }

  private isInValue(token: Token | undefined): boolean {
    if (token?.type === 'Operator') return token.value !== '...'
    if (token?.type === 'Punctuator') return !/^[;)}\]]$/.test(token.value)
    if (token?.type !== 'Keyword') return false
    if (token.value === 'then' || token.value === 'else') return this.isBranchValue
    return /^(?:and|or|not|in|if|elseif|while|until|return)$/.test(token.value)
  }

  /** Follows blocks and `if` expressions, which have no `end`. */
  private nest(keyword: string): void {
    const { blocks } = this
    if (keyword === 'if') blocks.push(this.isInValue(this.tokens.at(-1)))
    else if (keyword === 'function' || keyword === 'do' || keyword === 'repeat') blocks.push(false)
    else if (keyword === 'end' || keyword === 'until') blocks.pop()
    else if (keyword === 'then' || keyword === 'else') {
      this.isBranchValue = blocks.at(-1) ?? false
      if (keyword === 'else' && this.isBranchValue) blocks.pop()
    }
  }

  private number(): void {
    const raw = this.take(NUMBER)?.[0] ?? ''
    const digits = raw.includes('_') ? raw.replaceAll('_', '') : raw
    const value = /^0[xX]/.test(digits)
      ? Number.parseInt(digits, 16)
      : /^0[bB]/.test(digits)
        ? Number.parseInt(digits.slice(2), 2)
        : Number.parseFloat(digits)
    this.tokens.push({ type: 'Literal', kind: 'number', value, raw, line: this.span, column: COLUMN })
  }

  private symbol(): void {
    const char = this.source[this.position] ?? ''
    const isSingle = SINGLE.has(char)
    const value = isSingle ? char : this.take(SYMBOL)?.[0]
    if (value === undefined) this.fail(`Unexpected character '${char}'`)
    if (isSingle) this.position++
    const type = OPERATORS.has(value) ? 'Operator' : 'Punctuator'
    this.tokens.push({ type, value, line: this.span, column: COLUMN } as Token)
  }

  private comment(): void {
    const start = this.position
    this.position += 2
    const open = this.take(LONG_OPEN)
    if (!open) {
      this.skipLine()
      return
    }
    this.position = this.endOfLong(open[1] ?? '') + (open[1]?.length ?? 0) + 2
    this.addLines(start)
  }

  private endOfLong(level: string): number {
    const end = this.source.indexOf(`]${level}]`, this.position)
    if (end < 0) this.fail('Unterminated long bracket')
    return end
  }

  private long(): boolean {
    const start = this.position
    const open = this.take(LONG_OPEN)
    if (!open) return false
    const level = open[1] ?? ''
    const end = this.endOfLong(level)
    const value = this.source.slice(this.position, end).replace(/^\r?\n/, '')
    this.position = end + level.length + 2
    this.pushText(value, start)
    return true
  }

  private pushText(value: string, start: number): void {
    const { line } = this
    const raw = this.source.slice(start, this.position)
    if (raw.includes('\n')) this.addLines(start)
    const span = this.line === line ? this.span : { start: line, end: this.line }
    this.tokens.push({ type: 'Literal', kind: 'string', value, raw, line: span, column: COLUMN })
  }

  private quoted(quote: '"' | "'"): void {
    const start = this.position++
    let value = ''
    for (;;) {
      value += this.take(PLAIN[quote])?.[0] ?? ''
      const end = this.source[this.position]
      this.position++
      if (end === quote) break
      if (end !== '\\') {
        this.position = start
        this.fail('Unterminated string')
      }
      value += this.escape()
    }
    this.pushText(value, start)
  }

  private escape(): string {
    const match = this.take(ESCAPE)
    if (!match) this.fail('Unterminated string')
    const [all, hex, unicode, decimal] = match
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCharCode(Number(decimal) & 255)
    if (unicode !== undefined) {
      const point = Number.parseInt(unicode, 16)
      return point > 0x10_ff_ff ? '' : Buffer.from(String.fromCodePoint(point)).toString('latin1')
    }
    if (all.startsWith('z')) return ''
    return LETTERS[all] ?? (all === '\r\n' ? '\n' : all)
  }

  private interpolated(): void {
    const { position: start, line } = this
    this.position++
    const parts: Extract<Token, { type: 'InterpolatedString' }>['parts'] = []
    let value = ''
    let from = this.position
    const flush = () => {
      parts.push({ kind: 'string', value, raw: this.source.slice(from, this.position) })
      value = ''
    }
    for (;;) {
      value += this.take(PLAIN['`'])?.[0] ?? ''
      const end = this.source[this.position]
      if (end === undefined) this.fail('Unterminated interpolated string')
      if (end === '\\') {
        this.position++
        value += this.escape()
        continue
      }
      flush()
      this.position++
      if (end === '`') break
      const raw = this.expression()
      parts.push({ kind: 'expression', raw })
      from = this.position
    }
    this.addLines(start)
    this.tokens.push({ type: 'InterpolatedString', parts, line: { start: line, end: this.line }, column: COLUMN })
  }

  /** The text of an expression in an interpolated string, whose closing brace is then passed. */
  private expression(): string {
    const start = this.position
    const inner = new Lexer(this.source)
    inner.position = start
    for (let depth = 1; ;) {
      if (inner.position >= this.source.length) this.fail('Unterminated interpolation expression')
      const count = inner.tokens.length
      inner.next()
      const token = inner.tokens.length > count ? inner.tokens.at(-1) : undefined
      if (token?.type !== 'Punctuator') continue
      if (token.value === '{') depth++
      else if (token.value === '}' && --depth === 0) break
    }
    this.position = inner.position
    return this.source.slice(start, this.position - 1)
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
