import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentUnit } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { codeTheme, luauLanguage, TAB_WIDTH } from '#web/shared/code-viewer/luau-language.ts'
import type { CompileError } from '@scriptyard/luau-behavior/compile'
import { lineBreakOf } from './line-breaks.ts'

export interface Editor {
  setCode: (code: string) => void
  setInvalid: (isInvalid: boolean) => void
  /** Marks the compiler's error in its line and beside it, or removes the mark. */
  showError: (error: CompileError | null) => void
  /** Moves the cursor to a line, counted from 1, and the focus into the editor. */
  goToLine: (line: number) => void
  focus: () => void
  close: () => void
}

interface Options {
  parent: ShadowRoot
  code: string
  label: string
  helpId: string
  /** The text is built on demand, because it may be a megabyte. */
  onChange: (readCode: () => string) => void
  onFocus: (readCode: () => string) => void
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
  '.cm-lineNumbers .cm-gutterElement.cm-error-line': {
    color: 'var(--danger)',
    fontWeight: '600',
    boxShadow: 'inset 3px 0 var(--danger)',
  },
  '.cm-error': { textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '4px' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-searchMatch': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--surface-3)', outlineWidth: '2px' },
  '&.cm-focused :is(.cm-matchingBracket, .cm-nonmatchingBracket)': {
    backgroundColor: 'var(--surface-3)',
    outline: '1px solid var(--line-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { outlineColor: 'var(--danger)' },
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

const setError = StateEffect.define<CompileError | null>()

class ErrorLine extends GutterMarker {
  override elementClass = 'cm-error-line'
}
const errorLine = new ErrorLine()
const errorText = Decoration.mark({ class: 'cm-error' })

/** Where the compiler's error is. It moves with its text until the next result replaces it. */
const errorField = StateField.define<{ from: number; to: number } | null>({
  create: () => null,
  update: (range, { changes, effects, state }) => {
    const effect = effects.find((each) => each.is(setError))
    if (effect) return effect.value && findError(state.doc, effect.value)
    return range && { from: changes.mapPos(range.from), to: changes.mapPos(range.to) }
  },
  provide: (self) => [
    EditorView.decorations.from(self, (range) =>
      range && range.from < range.to ? Decoration.set(errorText.range(range.from, range.to)) : Decoration.none,
    ),
    gutterLineClass.compute([self], (state) => {
      const range = state.field(self)
      return range ? RangeSet.of(errorLine.range(state.doc.lineAt(range.from).from)) : RangeSet.empty
    }),
  ],
})

const lineOf = (doc: Text, line: number) => doc.line(Math.min(Math.max(line, 1), doc.lines))

/** The token that the message names if its line has it once, else the text of the line. */
function findError(doc: Text, { line, message }: CompileError): { from: number; to: number } {
  const { from, text } = lineOf(doc, line)
  const token = /, got '(.+)'$/.exec(message)?.[1]
  const start = token ? text.indexOf(token) : -1
  if (token && start >= 0 && text.indexOf(token, start + 1) < 0) {
    return { from: from + start, to: from + start + token.length }
  }
  return { from: from + text.length - text.trimStart().length, to: from + text.trimEnd().length }
}

const separate = (code: string) => EditorState.lineSeparator.of(lineBreakOf(code))

/**
 * Creates a CodeMirror editor in a shadow tree, where it uses a constructed style sheet. In the document it would add a
 * <style> element, which the content security policy blocks.
 */
export function openEditor({ parent, code, label, helpId, onChange, onFocus, onBlur }: Options): Editor {
  const validity = new Compartment()
  const lineBreak = new Compartment()
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
      lineBreak.of(separate(code)),
      EditorView.clipboardInputFilter.of((text, state) => text.replaceAll(/\r?\n/g, state.lineBreak)),
      indentUnit.of('\t'),
      placeholder('-- Paste or type your code here'),
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
        if (docChanged) onChange(() => state.sliceDoc())
      }),
      EditorView.domEventHandlers({ focus: (_event, { state }) => onFocus(() => state.sliceDoc()), blur: onBlur }),
      errorField,
      theme,
      codeTheme,
      luauLanguage,
    ],
  })
  return {
    setCode: (next) => {
      // First, because the new code is split into lines by what separates them.
      view.dispatch({ effects: lineBreak.reconfigure(separate(next)) })
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    setInvalid: (isInvalid) =>
      view.dispatch({
        effects: validity.reconfigure(isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : []),
      }),
    showError: (error) => view.dispatch({ effects: setError.of(error) }),
    goToLine: (line) => {
      const { from } = lineOf(view.state.doc, line)
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
      view.focus()
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
