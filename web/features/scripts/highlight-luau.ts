import luau from 'shiki/langs/luau.mjs'
import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { type CodeLine, type Preview, previewText, type Token, type TokenKind } from './preview.ts'

// The theme names kinds instead of colours: pages carry classes, and the style sheet colours them in dark and light.
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

/** Longer than any honest line takes; past it the rest of that line stays plain. */
const MILLISECONDS_PER_LINE = 100

/** The same lines, each token with its kind. */
export function highlightLuau(preview: Preview): Preview {
  const lines = highlighter.codeToTokensBase(previewText(preview.lines), {
    lang: 'luau',
    theme: 'kinds',
    tokenizeTimeLimit: MILLISECONDS_PER_LINE,
  })
  return {
    ...preview,
    lines: lines.map((line) => joinAlike(line.map(({ color, content }) => [KINDS[color ?? ''] ?? 'text', content]))),
    isHighlighted: true,
  }
}

/** Neighbours of one kind become one token; blanks take the kind of what stands before them. */
function joinAlike(tokens: Token[]): CodeLine {
  const joined: Token[] = []
  for (const [kind, text] of tokens) {
    const last = joined.at(-1)
    if (last && (last[0] === kind || text.trim() === '')) joined[joined.length - 1] = [last[0], last[1] + text]
    else if (text !== '') joined.push([kind, text])
  }
  return joined
}
