import { SyntaxError, type Token, type TokenKind } from './lexer.ts'

/** A script whose expressions, types or blocks are nested too deeply to be parsed. */
export class NestingError extends Error {}

/**
 * Twice the limit of Luau's parser, which does not count everything that is counted here. Chains such as `a.b.c` and
 * `a + b + c` count, too, because they give a nested tree.
 */
const MAX_NESTING = 2000

/** Reads tokens one after the other. */
export class TokenReader {
  private readonly tokens: readonly Token[]
  private index = 0
  private depth = 0
  protected token: Token

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
    this.token = tokens[0] as Token
  }

  /** The token after the current one. The last token follows itself. */
  protected get following(): Token {
    return this.tokens[this.index + 1] ?? this.token
  }

  protected get lastLine(): number {
    return this.tokens[this.index - 1]?.endLine ?? 1
  }

  protected advance(): Token {
    const { token } = this
    if (token.kind !== 'end') this.token = this.tokens[++this.index] as Token
    return token
  }

  protected isSymbol(text: string): boolean {
    return this.token.kind === 'symbol' && this.token.text === text
  }

  protected isKeyword(text: string): boolean {
    return this.token.kind === 'keyword' && this.token.text === text
  }

  /** Passes a symbol if it is the current token. */
  protected takeSymbol(text: string): boolean {
    const isHere = this.isSymbol(text)
    if (isHere) this.advance()
    return isHere
  }

  /** Passes the semicolons after a statement. */
  protected skipTerminators(): void {
    while (this.isSymbol(';')) this.advance().isTerminator = true
  }

  protected takeKeyword(text: string): boolean {
    const isHere = this.isKeyword(text)
    if (isHere) this.advance()
    return isHere
  }

  protected expectSymbol(text: string): void {
    if (!this.takeSymbol(text)) this.fail(`'${text}'`)
  }

  protected expectKeyword(text: string): void {
    if (!this.takeKeyword(text)) this.fail(`'${text}'`)
  }

  protected expect(kind: TokenKind): Token {
    return this.token.kind === kind ? this.advance() : this.fail(kind)
  }

  protected fail(expected: string): never {
    const { kind, raw, line } = this.token
    throw new SyntaxError(`Expected ${expected}, got ${kind === 'end' ? 'the end' : `'${raw.slice(0, 40)}'`}`, line)
  }

  /** Parses something nested. Throws NestingError if it is too deep. */
  protected nested<T>(parse: () => T): T {
    this.deepen()
    const result = parse()
    this.depth--
    return result
  }

  /** Counts a step of a chain. The chain ends with `resetDepth`. */
  protected deepen(): void {
    if (++this.depth > MAX_NESTING) throw new NestingError('The script is nested too deeply.')
  }

  protected get currentDepth(): number {
    return this.depth
  }

  protected resetDepth(depth: number): void {
    this.depth = depth
  }
}
