import type { Expression } from './syntax.ts'
import { TokenReader } from './token-reader.ts'

/** Passes types, which change nothing of what a script does. */
export abstract class TypeParser extends TokenReader {
  protected abstract expression(): Expression

  /** `: T` after a name. */
  protected skipAnnotation(): void {
    if (this.takeSymbol(':')) this.skipType()
  }

  /** A type, or a pack such as `...T`, `T...` or `(A, B)` where one may stand. */
  protected skipType(): void {
    this.nested(() => {
      if (!this.takeSymbol('|')) this.takeSymbol('&')
      do {
        this.skipSimpleType()
        while (this.takeSymbol('?'));
      } while (this.takeSymbol('|') || this.takeSymbol('&'))
    })
  }

  private skipSimpleType(): void {
    const { kind, text } = this.token
    if (kind === 'string' || kind === 'constant') this.advance()
    else if (kind === 'name') this.skipNamedType()
    else if (text === '{' && kind === 'symbol') this.skipTableType()
    else if (this.isSymbol('(') || this.isSymbol('<')) this.skipFunctionType()
    else if (this.takeSymbol('...')) this.skipType()
    else this.fail('a type')
  }

  private skipNamedType(): void {
    const { text } = this.advance()
    if (text === 'typeof' && this.takeSymbol('(')) {
      this.expression()
      this.expectSymbol(')')
      return
    }
    if (this.takeSymbol('.')) this.expect('name')
    if (this.isSymbol('<')) this.skipTypeArguments()
    // A generic pack.
    this.takeSymbol('...')
  }

  /** `<A, B>`, with the signs. */
  protected skipTypeArguments(): void {
    this.expectSymbol('<')
    if (this.takeSymbol('>')) return
    this.skipTypes()
    this.expectSymbol('>')
  }

  private skipTypes(): void {
    do this.skipType()
    while (this.takeSymbol(','))
  }

  /** `<T, U... = ...number>` after the name of a function or type. */
  protected skipGenerics(): void {
    if (!this.takeSymbol('<')) return
    do {
      this.expect('name')
      this.takeSymbol('...')
      if (this.takeSymbol('=')) this.skipType()
    } while (this.takeSymbol(','))
    this.expectSymbol('>')
  }

  /** `(a: A, B, ...C) -> D`, `(A)` or `(A, B)`. */
  private skipFunctionType(): void {
    this.skipGenerics()
    this.expectSymbol('(')
    if (!this.isSymbol(')')) {
      do {
        this.skipLabel()
        this.skipType()
      } while (this.takeSymbol(','))
    }
    this.expectSymbol(')')
    if (this.takeSymbol('->')) this.skipType()
  }

  /** `name:` before a type. */
  private skipLabel(): void {
    if (this.token.kind !== 'name' || this.following.kind !== 'symbol' || this.following.text !== ':') return
    this.advance()
    this.advance()
  }

  private skipTableType(): void {
    this.expectSymbol('{')
    while (!this.takeSymbol('}')) {
      this.skipTableTypeItem()
      if (!this.takeSymbol(',') && !this.takeSymbol(';') && !this.isSymbol('}')) this.fail("'}'")
    }
  }

  private skipTableTypeItem(): void {
    if (/^(?:read|write)$/.test(this.token.text) && (this.following.kind === 'name' || this.following.text === '['))
      this.advance()
    if (this.takeSymbol('[')) {
      this.skipType()
      this.expectSymbol(']')
      this.expectSymbol(':')
    } else this.skipLabel()
    this.skipType()
  }
}
