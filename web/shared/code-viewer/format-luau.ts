import { canTouch, type LuauToken, type Pause, scanLuau, TOKENS_PER_SLICE } from './scan-luau.ts'

/** Tables up to this width stay on one line. */
const MAX_INLINE_TABLE = 72
/** Deeper levels are not indented further, so that the result of hostile code stays small. */
const MAX_INDENT = 24

/** Keywords that begin a statement wherever they appear. */
const STARTERS = new Set(['local', 'for', 'while', 'repeat', 'return', 'break', 'end', 'until'])
/** Keywords after which an expression follows. */
const BEFORE_OPERAND = new Set(['and', 'or', 'not', 'return', 'in', 'if', 'elseif', 'while', 'until'])
const KEYWORDS = new Set([...STARTERS, ...BEFORE_OPERAND, 'do', 'then', 'else', 'function', 'true', 'false', 'nil'])
const VALUES = new Set(['true', 'false', 'nil', 'end'])

interface Brace {
  isMultiline: boolean
  /** Number of parentheses that were open at its start. */
  parens: number
}

interface Block {
  /** Whether it is an expression such as `if a then b else c`, which has no end. */
  isExpression: boolean
  /** Numbers of parentheses and braces that were open at its start. */
  parens: number
  braces: number
}

/** Lays out the tokens of Luau code with one statement per line and indentation. */
class Layout {
  readonly #tokens: readonly LuauToken[]
  readonly #lines: string[] = []
  #line = ''
  #indent = 0
  readonly #braces: Brace[] = []
  readonly #blocks: Block[] = []
  /** Open parentheses and brackets. The parameters of a function are marked. */
  readonly #parens: { isParameters: boolean }[] = []
  #isFunctionHead = false
  #mustBreak = false
  #lastCode: LuauToken | undefined

  constructor(tokens: readonly LuauToken[]) {
    this.#tokens = tokens
  }

  add(index: number): void {
    const token = this.#tokens[index]
    if (!token) return
    const previous = this.#tokens[index - 1]
    const isExpression = this.#lastCode !== undefined && isBeforeOperand(this.#lastCode)
    if (this.#closes(token)) this.#indent = Math.max(0, this.#indent - 1)
    if (this.#startsLine(token, previous, isExpression)) {
      const isBlank = token.breaks > 1 && !this.#closes(token)
      this.#breakLine(isBlank)
    } else if (this.#line !== '' && (this.#hasSpace(index) || !canTouch(previous?.text ?? '', token.text)))
      this.#line += ' '
    // A comment at the end of a line stays there.
    if (token.kind !== 'comment' || token.breaks > 0) this.#mustBreak = false
    if (this.#line === '') this.#line = '\t'.repeat(Math.min(this.#indent, MAX_INDENT))
    this.#line += token.text
    this.#follow(token, index, isExpression)
    if (token.kind !== 'comment') this.#lastCode = token
  }

  finish(): string {
    this.#breakLine(false)
    return `${this.#lines.join('\n')}\n`
  }

  #breakLine(isBlank: boolean): void {
    if (this.#line !== '') this.#lines.push(this.#line)
    if (isBlank && this.#lines.at(-1) !== '') this.#lines.push('')
    this.#line = ''
  }

  /** Whether a token ends an indented part before it is written. */
  #closes({ kind, text }: LuauToken): boolean {
    if (text === '}' && kind === 'symbol') return this.#braces.at(-1)?.isMultiline ?? false
    if (kind !== 'name') return false
    if (text === 'end' || text === 'until') return this.#isInBlock()
    return (text === 'else' || text === 'elseif') && this.#isInBlock()
  }

  #startsLine(token: LuauToken, previous: LuauToken | undefined, isExpression: boolean): boolean {
    if (!previous) return false
    const { kind, text } = token
    if (kind === 'comment') return token.breaks > 0
    if (isLineComment(previous)) return true
    // A parenthesis on a line of its own could be a statement or a call.
    if (text === '(' && kind === 'symbol' && !this.#mustBreak) return false
    if (previous.kind === 'comment') return token.breaks > 0 || this.#mustBreak
    if (text === '}' && kind === 'symbol') return this.#closes(token)
    if (text === ';' || text === ',' || text === ')' || text === ']') return false
    if (this.#mustBreak) return true
    if (kind === 'symbol') return false
    if (this.#isInside()) return false
    if (kind !== 'name') return false
    if (this.#closes(token)) return true
    if (STARTERS.has(text)) return true
    if ((text === 'if' || text === 'function') && !isExpression)
      return previous.text !== 'local' && previous.text !== 'export'
    if (KEYWORDS.has(text)) return false
    const last = this.#lastCode
    if (!last || (last.text === '...' && token.isAdjacent)) return false
    return endsOperand(last) && !isContextual(last)
  }

  /** Whether the next token is inside parentheses or a table, where no statement starts. */
  #isInside(): boolean {
    const { parens, braces } = this.#blocks.at(-1) ?? { parens: 0, braces: 0 }
    return this.#parens.length > parens || this.#braces.length > braces
  }

  #isInBlock(): boolean {
    return this.#blocks.at(-1)?.isExpression === false
  }

  #push(isExpression: boolean): void {
    this.#blocks.push({ isExpression, parens: this.#parens.length, braces: this.#braces.length })
  }

  #open(): void {
    this.#push(false)
    this.#indent++
    this.#mustBreak = true
  }

  #follow({ kind, text }: LuauToken, index: number, isExpression: boolean): void {
    if (kind === 'name') this.#followName(text, isExpression)
    else if (kind === 'symbol') this.#followSymbol(text, index)
  }

  #followName(text: string, isExpression: boolean): void {
    if (text === 'function') this.#isFunctionHead = true
    else if (text === 'if' && isExpression) this.#push(true)
    else if (text === 'do' || text === 'repeat') this.#open()
    else if (text === 'then' && this.#blocks.at(-1)?.isExpression !== true) this.#open()
    else if (text === 'else') {
      if (this.#blocks.at(-1)?.isExpression) this.#blocks.pop()
      else {
        this.#indent++
        this.#mustBreak = true
      }
    } else if (text === 'elseif') {
      // Its `then` opens the block again.
      if (this.#isInBlock()) this.#blocks.pop()
    } else if (text === 'end' || text === 'until') this.#blocks.pop()
  }

  #followSymbol(text: string, index: number): void {
    if (text === '(' || text === '[') {
      this.#parens.push({ isParameters: text === '(' && this.#isFunctionHead })
      if (text === '(') this.#isFunctionHead = false
    } else if (text === ')' || text === ']') {
      if (this.#parens.pop()?.isParameters) {
        this.#push(false)
        this.#indent++
        // A return type follows on the same line.
        this.#mustBreak = this.#tokens[index + 1]?.text !== ':'
      }
    } else if (text === '{') {
      const isMultiline = !this.#isShortTable(index)
      this.#braces.push({ isMultiline, parens: this.#parens.length })
      if (isMultiline) {
        this.#indent++
        this.#mustBreak = true
      }
    } else if (text === '}') this.#braces.pop()
    else if (text === ';') this.#mustBreak = !this.#isInside()
    else if (text === ',' && this.#isInMultilineTable()) this.#mustBreak = true
  }

  #isInMultilineTable(): boolean {
    const { parens, braces } = this.#blocks.at(-1) ?? { parens: 0, braces: 0 }
    const isInTable = this.#braces.length > braces && this.#braces.at(-1)?.isMultiline === true
    return isInTable && this.#parens.length === Math.max(parens, this.#braces.at(-1)?.parens ?? 0)
  }

  #hasSpace(index: number): boolean {
    const [previous, token] = [this.#tokens[index - 1], this.#tokens[index]]
    if (!previous || !token) return false
    if (token.kind === 'comment') return true
    if (token.kind === 'symbol') {
      if (CLOSING.has(token.text) || (this.#isFunctionHead && token.text !== '->')) return false
      if (token.text === '}') return previous.text !== '{'
      const isOperand = endsOperand(previous) || (previous.kind === 'string' && token.text !== '{')
      if ((token.text === '(' || token.text === '[') && (isOperand || previous.text === 'function')) return false
    }
    if (previous.kind !== 'symbol') return true
    if (previous.text === '...' && token.kind === 'name') return !token.isAdjacent
    return !this.#isTight(index - 1)
  }

  /** Whether no space follows a symbol. */
  #isTight(index: number): boolean {
    const [before, symbol, next, afterNext] = this.#tokens.slice(Math.max(0, index - 1), index + 3)
    if (index === 0 || !before || !symbol) return true
    if (symbol.text === '(' || symbol.text === '[' || symbol.text === '.') return true
    if (symbol.text === '<' && this.#isFunctionHead) return true
    // A method call; other colons come before a type.
    if (symbol.text === ':') {
      return next?.kind === 'name' && (CALL.has(afterNext?.text ?? '') || afterNext?.kind === 'string')
    }
    return PREFIX.has(symbol.text) && !endsOperand(before)
  }

  /** Whether a table ends soon, with neither functions nor comments in it. */
  #isShortTable(index: number): boolean {
    let depth = 0
    let width = 0
    for (let i = index; i < this.#tokens.length; i++) {
      const { kind, text } = this.#tokens[i] ?? { kind: 'symbol', text: '' }
      width += text.length + 1
      if (width > MAX_INLINE_TABLE || kind === 'comment' || text === 'function') return false
      if (text === '{') depth++
      else if (text === '}' && --depth === 0) return true
    }
    return false
  }
}

/** Whether the token after this one starts an operand. */
function isBeforeOperand({ kind, text }: LuauToken): boolean {
  if (kind === 'symbol') return text !== ')' && text !== ']' && text !== '}' && text !== ';' && text !== '...'
  return kind === 'name' && BEFORE_OPERAND.has(text)
}

/** Whether an operand may end with this token, so that a name after it starts a statement. */
function endsOperand({ kind, text }: LuauToken): boolean {
  if (kind === 'symbol') return [')', ']', '}', '...', ';', '>', '?'].includes(text)
  if (kind === 'name') return !KEYWORDS.has(text) || VALUES.has(text) || text === 'break'
  return kind !== 'comment'
}

const isLineComment = ({ kind, text }: LuauToken) => kind === 'comment' && !/^--\[=*\[/.test(text)

/** `type` and `export` are names that may begin a statement and stay with the next name. */
const isContextual = ({ kind, text }: LuauToken) => kind === 'name' && (text === 'type' || text === 'export')

const CLOSING = new Set([')', ']', ',', ';', '.', ':', '?'])
/** Prefix operators, unless an operand comes before them. */
const PREFIX = new Set(['-', '#', '!', '@'])
/** What follows the name of a called method. */
const CALL = new Set(['(', '{'])

const isSame = (a: readonly LuauToken[], b: readonly LuauToken[]) =>
  a.length === b.length && a.every(({ kind, text }, i) => kind === b[i]?.kind && text === b[i].text)

/**
 * Formats Luau code. Only the space between tokens changes. Pauses with `pause` between slices of work. Undefined if
 * parts of the code are not tokens.
 */
export async function formatLuau(code: string, pause: Pause): Promise<string | undefined> {
  const tokens = await scanLuau(code, pause)
  if (!tokens) return undefined
  const layout = new Layout(tokens)
  for (let i = 0; i < tokens.length; i++) {
    layout.add(i)
    if (i % TOKENS_PER_SLICE === TOKENS_PER_SLICE - 1) await pause()
  }
  const formatted = layout.finish()
  const result = await scanLuau(formatted, pause)
  return result && isSame(tokens, result) ? formatted : undefined
}
