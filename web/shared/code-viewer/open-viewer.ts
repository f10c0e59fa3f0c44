import { EditorSelection, EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  lineNumbers,
  WidgetType,
} from '@codemirror/view'
import type { LineMark } from '#web/shared/behavior/behavior-view.ts'
import { findingId } from '#web/shared/behavior/show-finding.ts'
import type { CodeMatch } from './find-matches.ts'
import type { LineRange } from './line-range.ts'
import { codeTheme, luauLanguage, TAB_WIDTH } from './luau-language.ts'

export interface Viewer {
  /** Shows other code, and removes all marks. */
  setCode: (code: string) => void
  /** The character at the top of the visible part. */
  top: () => number
  showLines: (lines: LineRange | undefined, isScrolling: boolean) => void
  showMatches: (matches: readonly CodeMatch[], current: number) => void
  /** Puts a link to its findings before each of these lines. */
  showMarks: (marks: readonly LineMark[]) => void
  focus: () => void
  close: () => void
}

export interface ViewerHandlers {
  /** Called when a line number is clicked. */
  onLine: (line: number, isExtending: boolean) => void
  /** Called when the mark of a line is clicked. */
  onMark: (mark: LineMark) => void
}

interface Options extends ViewerHandlers {
  parent: ShadowRoot
  code: string
  label: string
  /** Fixed, because CodeMirror needs seconds to wrap a line of a megabyte that it has shown without wrapping. */
  isWrapped: boolean
  /** The character to scroll to. */
  top: number
}

/** Characters that make code look different from what it does. The preview shows the same ones. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

const setMatches = StateEffect.define<DecorationSet>()
const decorationField = (effect: typeof setMatches) =>
  StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (decorations, { effects, docChanged }) =>
      effects.find((each) => each.is(effect))?.value ?? (docChanged ? Decoration.none : decorations),
    provide: (field) => EditorView.decorations.from(field),
  })
const setLines = StateEffect.define<DecorationSet>()
const setMarks = StateEffect.define<DecorationSet>()

const line = Decoration.line({ class: 'viewer-line' })
const match = Decoration.mark({ class: 'viewer-match' })
const currentMatch = Decoration.mark({ class: 'viewer-match viewer-current' })

const theme = EditorView.theme({
  '&': { maxHeight: '75vh' },
  '.cm-content': { padding: '12px 0' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--accent-soft)' },
  '.cm-lineNumbers .cm-gutterElement': { cursor: 'pointer' },
  '.cm-lineNumbers .cm-gutterElement:hover': { color: 'var(--text)' },
  // The outline is visible in forced colors, which have no backgrounds.
  '.viewer-line': { backgroundColor: 'var(--accent-soft)', outline: '1px solid transparent', outlineOffset: '-1px' },
  '.viewer-match': { backgroundColor: 'var(--surface-3)', outline: '1px solid var(--line-strong)' },
  '.viewer-current': { outline: '2px solid var(--accent)', backgroundColor: 'var(--accent-soft)' },
  // Room for the marks, on all lines, so that the code stays aligned.
  '&.viewer-marks .cm-line': { paddingLeft: '36px' },
  '.viewer-mark': {
    display: 'inline-block',
    boxSizing: 'border-box',
    width: '24px',
    height: '24px',
    margin: '0 6px 0 -30px',
    borderRadius: '4px',
    textAlign: 'center',
    textDecoration: 'none',
    fontWeight: '700',
    verticalAlign: 'top',
    userSelect: 'none',
  },
  '.viewer-mark:hover': { backgroundColor: 'var(--surface-3)' },
  '.viewer-mark:focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.viewer-mark-warning': { color: 'var(--danger)' },
  '.viewer-mark-notice': { color: 'var(--warning)' },
  '.viewer-mark-plain': { color: 'var(--muted)' },
  '.viewer-hidden': {
    border: '1px solid var(--warning)',
    borderRadius: '4px',
    padding: '0 4px',
    color: 'var(--warning)',
    fontSize: '12px',
  },
})

function renderHidden(code: number): HTMLElement {
  const element = document.createElement('span')
  element.className = 'viewer-hidden'
  element.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return element
}

const SYMBOLS: Record<LineMark['level'], string> = { warning: '▲', notice: 'i', plain: '•' }

/** The mark of a line. It is part of the code's element, because screen readers and the Tab key skip the gutter. */
class MarkWidget extends WidgetType {
  readonly mark: LineMark
  readonly onMark: (mark: LineMark) => void

  constructor(mark: LineMark, onMark: (mark: LineMark) => void) {
    super()
    this.mark = mark
    this.onMark = onMark
  }

  override eq(widget: MarkWidget): boolean {
    return widget.mark === this.mark
  }

  override toDOM(): HTMLElement {
    const { id, level, label } = this.mark
    const link = document.createElement('a')
    link.className = `viewer-mark viewer-mark-${level}`
    link.href = `#${findingId(id)}`
    link.title = label
    link.setAttribute('aria-label', label)
    link.textContent = SYMBOLS[level]
    link.addEventListener('click', (event) => {
      event.preventDefault()
      this.onMark(this.mark)
    })
    return link
  }

  override ignoreEvent(): boolean {
    return true
  }
}

const scrollTo = (from: number) =>
  EditorView.scrollIntoView(EditorSelection.cursor(from), { y: 'center', x: 'nearest', xMargin: 40 })

/**
 * Shows code in a shadow tree with CodeMirror, which renders only the visible part and highlights in slices. In the document
 * its style sheet would be an element, which the content security policy blocks.
 */
export function openViewer({ parent, label, isWrapped, top, onLine, onMark, ...options }: Options): Viewer {
  let { code } = options
  const lineMarks = decorationField(setMarks)
  const view = new EditorView({
    parent,
    root: parent,
    doc: code,
    ...(top > 0 ? { scrollTo: EditorView.scrollIntoView(Math.min(top, code.length), { y: 'start' }) } : {}),
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorState.tabSize.of(TAB_WIDTH),
      lineNumbers({
        domEventHandlers: {
          mousedown: (editor, block, event) => {
            if (!(event instanceof MouseEvent) || event.button !== 0) return false
            event.preventDefault()
            onLine(editor.state.doc.lineAt(block.from).number, event.shiftKey)
            return true
          },
        },
      }),
      highlightSpecialChars({ addSpecialChars: HIDDEN, render: (character) => renderHidden(character) }),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0', dir: 'ltr' }),
      decorationField(setMatches),
      decorationField(setLines),
      lineMarks,
      EditorView.editorAttributes.compute([lineMarks], (state) =>
        state.field(lineMarks).size > 0 ? { class: 'viewer-marks' } : {},
      ),
      isWrapped ? EditorView.lineWrapping : [],
      codeTheme,
      theme,
      luauLanguage,
    ],
  })

  return {
    setCode: (next) => {
      if (next !== code) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
      code = next
    },
    showLines: (lines, isScrolling) => {
      const { doc } = view.state
      const marks = new RangeSetBuilder<Decoration>()
      const [first, last] = lines ? [Math.min(lines.first, doc.lines), Math.min(lines.last, doc.lines)] : [1, 0]
      for (let number = first; number <= last; number++) {
        const { from } = doc.line(number)
        marks.add(from, from, line)
      }
      const scrolling = lines && isScrolling ? [scrollTo(doc.line(first).from)] : []
      view.dispatch({ effects: [setLines.of(marks.finish()), ...scrolling] })
    },
    showMarks: (marks) => {
      const { doc } = view.state
      const widgets = new RangeSetBuilder<Decoration>()
      for (const mark of marks) {
        if (mark.line > doc.lines) continue
        const { from } = doc.line(mark.line)
        widgets.add(from, from, Decoration.widget({ widget: new MarkWidget(mark, onMark), side: -1 }))
      }
      view.dispatch({ effects: setMarks.of(widgets.finish()) })
    },
    showMatches: (matches, current) => {
      const marks = new RangeSetBuilder<Decoration>()
      for (const [index, { from, to }] of matches.entries())
        marks.add(from, to, index === current ? currentMatch : match)
      const shown = matches[current]
      view.dispatch({ effects: [setMatches.of(marks.finish()), ...(shown ? [scrollTo(shown.from)] : [])] })
    },
    top: () => view.lineBlockAtHeight(view.scrollDOM.scrollTop).from,
    focus: () => view.contentDOM.focus(),
    close: () => view.destroy(),
  }
}
