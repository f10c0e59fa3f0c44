// Splits a script into tokens, in linear time for any text.

export type TokenKind =
  | 'name'
  | 'keyword'
  /** `nil`, `true` and `false`. */
  | 'constant'
  | 'number'
  | 'string'
  /** The text of an interpolated string up to its first `{`, or to its end. */
  | 'interpolation'
  /** The text after a `}` up to the next `{`, or to the end. */
  | 'interpolation-rest'
  | 'symbol'
  /** The end of the script. */
  | 'end'

export interface Token {
  kind: TokenKind
  /** The name, keyword, symbol or number as written, or the characters of a string as Luau sees them. */
  text: string
  /** The token as written. */
  raw: string
  /** First and last line, from 1. */
  line: number
  endLine: number
  /** Set by the parser for a name that is a local: locals are numbered by first declaration. */
  local: number | undefined
  /** Set by the parser for a semicolon that ends a statement. */
  isTerminator?: boolean
}

/** Code that is not Luau. */
export class SyntaxError extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

const KEYWORDS = new Set(
  'and break do else elseif end for function if in local not or repeat return then until while'.split(' '),
)
const CONSTANTS = new Set(['nil', 'true', 'false'])
const SPACE = /[ \t\r\n\f\v]+/y
/** As Luau's lexer takes them. What is no number is an error of the parser. */
const NUMBER = /[\d._]+(?:[eE][+-]?)?\w*/y
const SYMBOL = /\.\.\.|\.\.=|\/\/=|::|->|[=~<>+\-*/%^]=|\.\.|\/\/|[-+*/%^#<>=(){}[\];:,.?&|@]/y
const LONG_OPEN = /\[(=*)\[/y
const PLAIN = { '"': /[^"\\\n\r]*/y, "'": /[^'\\\n\r]*/y, '`': /[^`\\{\n\r]*/y }
const ESCAPE = /x([\da-fA-F]{1,2})|u\{([\da-fA-F]+)\}|(\d{1,3})|z\s*|\r\n|[^]/y
const LETTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' }
/** Symbols of one character that begin no longer one. */
const SINGLE = new Set('(){}],;#&|@?')
const IS_WORD = Uint8Array.from({ length: 256 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))
/** Errors after which a line with another is left out, and those after which the rest is: it is no code. */
const MAX_ERRORS = 100
const MAX_LINES_WITH_ERRORS = 5_000

/** The tokens of a script whose characters are bytes; the last one is `end`. Throws SyntaxError. */
export function tokenize(source: string): Token[] {
  return new Lexer(source).read()
}

/** The tokens of a script with errors: characters that belong to no token are left out. */
export function tokenizeAnyway(source: string): Token[] {
  return new Lexer(source).readAnyway()
}

class Lexer {
  private readonly tokens: Token[] = []
  private readonly source: string
  private position = 0
  private line = 1
  /** Whether each open `{` belongs to an interpolated string. */
  private readonly braces: boolean[] = []
  /** Levels of long brackets that are not closed in the rest of the script. */
  private readonly unclosed = new Set<string>()

  constructor(source: string) {
    this.source = source
    if (source.startsWith('\u00EF\u00BB\u00BF')) this.position = 3
    if (source.startsWith('#!', this.position)) this.skipLine()
  }

  read(): Token[] {
    while (this.position < this.source.length) this.next()
    return this.finish()
  }

  readAnyway(): Token[] {
    const { length } = this.source
    let errors = 0
    // Characters that were read for tokens without an end, and are read again.
    let repeated = 0
    while (this.position < length && errors < MAX_LINES_WITH_ERRORS && repeated < 4 * length) {
      const { position, line } = this
      try {
        this.next()
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        repeated += this.position - position
        this.position = position + 1
        this.line = line
        // A quote without its end often comes alone; many mean that the rest is no code.
        if (++errors >= MAX_ERRORS || repeated > length) this.skipLine()
      }
    }
    return this.finish()
  }

  private finish(): Token[] {
    this.push('end', '', this.source.length, this.line)
    return this.tokens
  }

  private push(kind: TokenKind, text: string, start: number, line: number): void {
    this.tokens.push({
      kind,
      text,
      raw: this.source.slice(start, this.position),
      line,
      endLine: this.line,
      local: undefined,
    })
  }

  /** What a sticky pattern matches here, which is then passed; undefined if it does not match. */
  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.source)
    if (!match) return undefined
    this.position = pattern.lastIndex
    return match
  }

  private countLines(from: number): void {
    for (let index = from; index < this.position; index++) if (this.source.charCodeAt(index) === 10) this.line++
  }

  private skipLine(): void {
    const end = this.source.indexOf('\n', this.position)
    this.position = end < 0 ? this.source.length : end
  }

  private fail(message: string): never {
    throw new SyntaxError(message, this.line)
  }

  private next(): void {
    const { source, position } = this
    const code = source.charCodeAt(position)
    if (code <= 32) this.space(code)
    else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) this.word()
    else if (code === 45 && source.charCodeAt(position + 1) === 45) this.comment()
    else if ((code >= 48 && code <= 57) || (code === 46 && isDigit(source.charCodeAt(position + 1)))) {
      const text = this.take(NUMBER)?.[0] ?? ''
      this.push('number', text, position, this.line)
    } else if (code === 34 || code === 39) this.quoted(code === 34 ? '"' : "'")
    else if (code === 96) {
      this.position++
      this.interpolated('interpolation', position)
    } else if (code === 91 && this.long()) return
    else this.symbol()
  }

  private space(code: number): void {
    const { position } = this
    if (code === 32 || code === 9) this.position++
    else if (this.take(SPACE)) this.countLines(position)
    else this.fail('Unexpected character')
  }

  private word(): void {
    const { source, position: start } = this
    while (IS_WORD[source.charCodeAt(this.position)] === 1) this.position++
    const text = source.slice(start, this.position)
    this.push(KEYWORDS.has(text) ? 'keyword' : CONSTANTS.has(text) ? 'constant' : 'name', text, start, this.line)
  }

  private symbol(): void {
    const { position: start } = this
    const char = this.source[start] ?? ''
    const isSingle = SINGLE.has(char)
    const text = isSingle ? char : this.take(SYMBOL)?.[0]
    if (text === undefined) this.fail(`Unexpected character '${char}'`)
    if (isSingle) this.position++
    if (char === '{') this.braces.push(false)
    if (char === '}' && this.braces.pop() === true) this.interpolated('interpolation-rest', start)
    else this.push('symbol', text, start, this.line)
  }

  private comment(): void {
    const start = this.position
    this.position += 2
    const open = this.take(LONG_OPEN)
    if (!open) {
      this.skipLine()
      return
    }
    const level = open[1] ?? ''
    this.position = this.endOfLong(level) + level.length + 2
    this.countLines(start)
  }

  private endOfLong(level: string): number {
    const end = this.unclosed.has(level) ? -1 : this.source.indexOf(`]${level}]`, this.position)
    if (end >= 0) return end
    this.unclosed.add(level)
    return this.fail('Unterminated long bracket')
  }

  private long(): boolean {
    const { position: start, line } = this
    const open = this.take(LONG_OPEN)
    if (!open) return false
    const level = open[1] ?? ''
    const end = this.endOfLong(level)
    const text = this.source.slice(this.position, end).replace(/^\r?\n/, '')
    this.position = end + level.length + 2
    this.countLines(start)
    this.push('string', text, start, line)
    return true
  }

  private quoted(quote: '"' | "'"): void {
    const { position: start, line } = this
    this.position++
    const text = this.text(quote, 'string')
    this.position++
    this.push('string', text, start, line)
  }

  /** The text of an interpolated string up to an expression, or to its end. */
  private interpolated(kind: 'interpolation' | 'interpolation-rest', start: number): void {
    const { line } = this
    const text = this.text('`', 'interpolated string')
    if (this.source[this.position++] === '{') this.braces.push(true)
    this.push(kind, text, start, line)
  }

  /** The characters up to the end of a string or of a part of it, which is not passed. */
  private text(quote: '"' | "'" | '`', what: string): string {
    let value = ''
    for (;;) {
      value += this.take(PLAIN[quote])?.[0] ?? ''
      const end = this.source[this.position]
      if (end === quote || (end === '{' && quote === '`')) return value
      if (end !== '\\') this.fail(`Unterminated ${what}`)
      this.position++
      value += this.escape(what)
    }
  }

  private escape(what: string): string {
    const { position } = this
    const match = this.take(ESCAPE)
    if (!match) this.fail(`Unterminated ${what}`)
    const [all, hex, unicode, decimal] = match
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCharCode(Number(decimal) & 255)
    if (unicode !== undefined) {
      const point = Number.parseInt(unicode, 16)
      return point > 0x10_ff_ff ? '' : Buffer.from(String.fromCodePoint(point)).toString('latin1')
    }
    this.countLines(position)
    if (all.startsWith('z')) return ''
    return LETTERS[all] ?? (all === '\r\n' ? '\n' : all)
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
