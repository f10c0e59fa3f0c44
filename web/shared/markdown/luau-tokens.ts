import luau from 'shiki/langs/luau.mjs'
import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export type TokenKind =
  | 'text'
  | 'comment'
  | 'keyword'
  | 'function'
  | 'constant'
  | 'string'
  | 'parameter'
  | 'punctuation'
export type Token = readonly [kind: TokenKind, text: string]
export type CodeLine = readonly Token[]

// The theme yields token kinds instead of colors; the style sheet colors them for the dark and the light theme.
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '' })
const highlighter = createHighlighterCoreSync({ langs: [luau], themes: [theme], engine: createJavaScriptRegexEngine() })

const KINDS: Record<string, TokenKind> = {
  'var(token-comment)': 'comment',
  'var(token-keyword)': 'keyword',
  'var(token-function)': 'function',
  'var(token-constant)': 'constant',
  'var(token-string)': 'string',
  'var(token-string-expression)': 'string',
  'var(token-parameter)': 'parameter',
  'var(token-punctuation)': 'punctuation',
}

/** Time limit per line. The rest of a line that takes longer is not highlighted. */
const MILLISECONDS_PER_LINE = 100

/** The lines of Luau code, split into tokens. */
export function tokenizeLuau(code: string): CodeLine[] {
  const lines = highlighter.codeToTokensBase(code, {
    lang: 'luau',
    theme: 'kinds',
    tokenizeTimeLimit: MILLISECONDS_PER_LINE,
  })
  return lines.map((line) => mergeTokens(line.map(({ color, content }) => [KINDS[color ?? ''] ?? 'text', content])))
}

/** Merges adjacent tokens of one kind. Whitespace joins the token before it. */
function mergeTokens(tokens: Token[]): CodeLine {
  const merged: Token[] = []
  for (const [kind, text] of tokens) {
    const last = merged.at(-1)
    if (last && (last[0] === kind || text.trim() === '')) merged[merged.length - 1] = [last[0], last[1] + text]
    else if (text !== '') merged.push([kind, text])
  }
  return merged
}
