import { type RefObject, useEffect, useId, useImperativeHandle, useRef } from 'react'
import type { CompileError } from '@scriptyard/luau-behavior/compile'
import { hasLoneReturn, withLineBreaksOf } from './line-breaks.ts'
import { CODE_LABEL, useCodeMirror } from './use-code-mirror.ts'

/** Moves the cursor to a line, counted from 1, and the focus into the editor. */
export interface CodeFieldHandle {
  goToLine: (line: number) => void
}

interface Props {
  handle: RefObject<CodeFieldHandle | null>
  code: string
  isInvalid: boolean
  onChange: (code: string) => void
  onCompileError: (error: CompileError | null) => void
}

/** CodeMirror, loaded on demand. A plain text area until then, and if it cannot be loaded. */
export function CodeEditor({ handle, code, isInvalid, onChange, onCompileError }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const textArea = useRef<HTMLTextAreaElement>(null)
  // The line that was requested while the editor was loading.
  const requestedLine = useRef<number>(undefined)
  const helpId = useId()
  const { editor, isOpen, hadFocus } = useCodeMirror({ host, textArea, helpId, code, onChange, onCompileError })

  // An effect, because the editor cannot have the focus before it is shown.
  useEffect(() => {
    if (!isOpen || !hadFocus.current) return
    if (requestedLine.current === undefined) editor.current?.focus()
    else editor.current?.goToLine(requestedLine.current)
  }, [editor, hadFocus, isOpen])

  useImperativeHandle(handle, () => ({
    goToLine: (line) => {
      if (editor.current) return editor.current.goToLine(line)
      requestedLine.current = line
      textArea.current?.focus()
    },
  }))

  useEffect(() => {
    if (isOpen) editor.current?.setInvalid(isInvalid)
  }, [editor, isInvalid, isOpen])

  return (
    <>
      <div
        ref={host}
        data-shadow
        hidden={!isOpen}
        className="h-80 resize-y overflow-hidden font-mono text-sm focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      />
      {!isOpen && (
        <textarea
          ref={textArea}
          dir="ltr"
          aria-label={CODE_LABEL}
          aria-required
          aria-invalid={isInvalid || undefined}
          value={code}
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="-- Paste or type your code here"
          // A text area would replace each lone carriage return.
          readOnly={hasLoneReturn(code)}
          onChange={(event) => onChange(withLineBreaksOf(code, event.target.value))}
          className="block h-80 w-full resize-y bg-surface-0 px-4 py-3 font-mono text-sm/6 text-text placeholder:text-muted focus-visible:-outline-offset-2"
        />
      )}
    </>
  )
}
