import { StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { lua } from '@codemirror/legacy-modes/mode/lua'
import { EditorView } from '@codemirror/view'

export const TAB_WIDTH = 4

const KINDS: Record<string, string> = {
  comment: 'comment',
  keyword: 'keyword',
  string: 'string',
  number: 'constant',
  'standard(variableName)': 'function',
}

const highlighting = syntaxHighlighting({
  style: (tags) => {
    const kind = KINDS[String(tags[0])]
    return kind ? `code-${kind}` : null
  },
})

export const luauLanguage = [StreamLanguage.define(lua), highlighting]

/** The theme that the editor and the viewer share. Custom properties are inherited into the shadow tree from the site's theme. */
export const codeTheme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface-0)', color: 'var(--text)', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', fontVariantLigatures: 'none', lineHeight: '24px', overflow: 'auto' },
  '.cm-line': { padding: '0 16px' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-1)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '40px' },
  '.cm-specialChar': { color: 'var(--warning)' },
  '.code-comment': { color: 'var(--code-comment)', fontStyle: 'italic' },
  '.code-keyword': { color: 'var(--code-keyword)' },
  '.code-string': { color: 'var(--code-string)' },
  '.code-constant': { color: 'var(--code-constant)' },
  '.code-function': { color: 'var(--code-function)' },
})
