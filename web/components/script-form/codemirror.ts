import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentUnit } from '@codemirror/language'
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
import { codeTheme, luauLanguage, TAB_WIDTH } from '#web/components/code-viewer/luau-language.ts'

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

const LEAVE_MS = 2000

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
  '&': { height: '100%' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--text)' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--accent-soft)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-searchMatch': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--surface-1)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: '20px', padding: '0 8px' },
  '.cm-textfield': field,
  '.cm-button': { ...field, backgroundImage: 'none', backgroundColor: 'var(--surface-2)' },
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
      codeTheme,
      luauLanguage,
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
