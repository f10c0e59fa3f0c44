import { syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'

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

const field = {
  background: 'var(--surface-0)',
  color: 'var(--text)',
  border: '1px solid var(--line-strong)',
  borderRadius: '6px',
  padding: '4px 8px',
  font: 'inherit',
}

// The site's colours reach into the shadow tree by themselves: they are custom properties.
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface-0)', color: 'var(--text)', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '24px', overflow: 'auto' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--text)' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--accent-soft)' },
  '.cm-line': { padding: '0 16px' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-1)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '40px' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-specialChar': { color: 'var(--warning)' },
  '.cm-searchMatch': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--surface-1)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: '20px', padding: '0 8px' },
  '.cm-textfield': field,
  '.cm-button': { ...field, backgroundImage: 'none', backgroundColor: 'var(--surface-2)' },
  '.code-comment': { color: 'var(--code-comment)', fontStyle: 'italic' },
  '.code-keyword': { color: 'var(--code-keyword)' },
  '.code-string': { color: 'var(--code-string)' },
  '.code-constant': { color: 'var(--code-constant)' },
  '.code-function': { color: 'var(--code-function)' },
})

export const look = [theme, highlighting]
