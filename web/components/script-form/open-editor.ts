import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentUnit, StreamLanguage } from '@codemirror/language'
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
import { look } from './code-theme.ts'

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
  /** The text is made only when it is asked for: with a megabyte, not at every key. */
  onChange: (readCode: () => string) => void
  onBlur: () => void
}

const TAB_WIDTH = 4
const LEAVE_MS = 2000

/** For a moment after Escape, Tab goes on to the next field. */
function leaveWithTab(view: EditorView): boolean {
  view.setTabFocusMode(LEAVE_MS)
  return true
}

/**
 * CodeMirror in a shadow tree. There it puts its styles into a constructed style sheet; in the document itself it would
 * write a <style> element, which the page's policy refuses.
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
      // Escape is taken here, or a dialog around the editor would close; afterwards Tab leaves the editor.
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
      look,
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
