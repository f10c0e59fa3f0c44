import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { lua } from '@codemirror/legacy-modes/mode/lua'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'

export interface Editor {
  setCode: (code: string) => void
  setInvalid: (isInvalid: boolean) => void
  focus: () => void
  hasFocus: () => boolean
  close: () => void
}

interface Options {
  parent: ShadowRoot
  code: string
  label: string
  helpId: string
  /** The text is built on demand, because it may be a megabyte. */
  onChange: (readCode: () => string) => void
  onBlur: () => void
}

const TAB_WIDTH = 4
const LEAVE_MS = 2000

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

// Custom properties are inherited into the shadow tree, so the editor follows the site's theme.
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

/** After Escape, Tab moves the focus to the next field for a moment instead of indenting. */
function leaveWithTab(view: EditorView): boolean {
  view.setTabFocusMode(LEAVE_MS)
  return true
}

/**
 * Creates a CodeMirror editor in a shadow tree, where it uses a constructed style sheet. In the document it would add a
 * <style> element, which the content security policy blocks.
 */
export function openEditor({ parent, code, label, helpId, onChange, onBlur }: Options): Editor {
  const validity = new Compartment()
  const view = new EditorView({
    parent,
    root: parent,
    doc: code,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      bracketMatching(),
      search({ top: true }),
      EditorState.tabSize.of(TAB_WIDTH),
      indentUnit.of('\t'),
      StreamLanguage.define(lua),
      placeholder('-- Paste, type or drop your script here'),
      // Handling Escape keeps a surrounding dialog open.
      keymap.of([
        ...searchKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        indentWithTab,
        { key: 'Escape', run: leaveWithTab },
      ]),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': helpId,
        'aria-required': 'true',
        spellcheck: 'false',
        tabindex: '0',
        dir: 'ltr',
      }),
      validity.of([]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(() => state.doc.toString())
      }),
      EditorView.domEventHandlers({ blur: () => onBlur() }),
      theme,
      highlighting,
    ],
  })
  return {
    setCode: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    setInvalid: (isInvalid) =>
      view.dispatch({
        effects: validity.reconfigure(isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : []),
      }),
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
    close: () => view.destroy(),
  }
}
