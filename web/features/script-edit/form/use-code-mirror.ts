import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CompileError } from '@scriptyard/luau-behavior/compile'
import type { Editor } from './codemirror.ts'
import type { CompileCheck } from './compile-check.ts'
import { DelayedUpdate } from './delayed-update.ts'

export const CODE_LABEL = 'Script content'
export const LEAVE_HELP = 'Press Esc, then Tab, to leave the editor.'
/** Delay after the last keystroke before the form receives the code. */
const UPDATE_DELAY_MS = 200

interface Options {
  /** The element that gets the editor. */
  host: RefObject<HTMLElement | null>
  /** What is shown until then. */
  textArea: RefObject<HTMLTextAreaElement | null>
  helpId: string
  code: string
  onChange: (code: string) => void
  onCompileError: (error: CompileError | null) => void
}

/** The shadow root of the host, with the help text that the editor's label refers to. */
function openShadow(host: HTMLElement, helpId: string): ShadowRoot {
  const parent = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const help = document.createElement('p')
  help.id = helpId
  help.hidden = true
  help.textContent = LEAVE_HELP
  parent.replaceChildren(help)
  return parent
}

/** Loads CodeMirror and opens it in the host. `isOpen` stays false if it cannot be loaded. */
export function useCodeMirror({ host, textArea, helpId, code, onChange, onCompileError }: Options) {
  const editor = useRef<Editor>(undefined)
  // The last code that editor and form agreed on. Any other code came from outside and replaces the editor's text.
  const syncedCode = useRef(code)
  // Of the text area, when the editor takes its place.
  const hadFocus = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const update = useEffectEvent((next: string) => {
    syncedCode.current = next
    onChange(next)
  })
  const showError = useEffectEvent((error: CompileError | null) => {
    editor.current?.showError(error)
    onCompileError(error)
  })
  const currentCode = useEffectEvent(() => code)

  useEffect(() => {
    const controller = new AbortController()
    const delayed = new DelayedUpdate((next) => update(next), UPDATE_DELAY_MS)
    const flush = () => delayed.flush()
    let check: CompileCheck | undefined
    const start = async () => {
      const [{ openEditor }, { CompileCheck }] = await Promise.all([
        import('./codemirror.ts'),
        import('./compile-check.ts'),
      ])
      if (controller.signal.aborted || !host.current) return
      syncedCode.current = currentCode()
      check = new CompileCheck(({ error }) => showError(error))
      hadFocus.current = document.activeElement === textArea.current
      editor.current = openEditor({
        parent: openShadow(host.current, helpId),
        code: syncedCode.current,
        label: CODE_LABEL,
        helpId,
        onBlur: flush,
        onFocus: (read) => check?.check(read),
        onChange: (read) => {
          check?.check(read)
          delayed.schedule(read)
        },
      })
      setOpen(true)
    }
    start().catch(() => undefined)
    addEventListener('pagehide', flush, { capture: true, signal: controller.signal })
    return () => {
      flush()
      controller.abort()
      check?.close()
      editor.current?.close()
      editor.current = undefined
      setOpen(false)
    }
  }, [host, textArea, helpId])

  useEffect(() => {
    if (!editor.current || code === syncedCode.current) return
    syncedCode.current = code
    editor.current.setCode(code)
  }, [code])
  return { editor, isOpen, hadFocus }
}
