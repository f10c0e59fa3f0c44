import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Editor } from './open-editor.ts'
import { PlainEditor } from './plain-editor.tsx'

/** How long somebody pauses before what they typed is taken over. */
const PAUSE_MS = 200

interface Props {
  label: string
  code: string
  isInvalid: boolean
  onChange: (code: string) => void
}

/** A real editor once its code has arrived; until then, or when it does not come, a plain text area. */
export function CodeEditor({ label, code, isInvalid, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  // What the editor and this page agree on: any other code came from outside and goes in.
  const known = useRef(code)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [isOpen, setOpen] = useState(false)
  const helpId = useId()
  const takeOver = useEffectEvent(onChange)
  const present = useEffectEvent(() => code)

  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let read: (() => string) | undefined
    const flush = () => {
      clearTimeout(timer)
      if (!read) return
      known.current = read()
      read = undefined
      takeOver(known.current)
    }
    const start = async () => {
      const { openEditor } = await import('./open-editor.ts')
      const place = host.current
      if (leaving.signal.aborted || !place) return
      const parent = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
      const help = document.createElement('p')
      help.id = helpId
      help.hidden = true
      help.textContent = LEAVE_HELP
      parent.replaceChildren(help)
      known.current = present()
      const hadFocus = document.activeElement === plain.current
      editor.current = openEditor({
        parent,
        code: known.current,
        label,
        helpId,
        onBlur: flush,
        onChange: (readCode) => {
          read = readCode
          clearTimeout(timer)
          timer = setTimeout(flush, PAUSE_MS)
        },
      })
      setOpen(true)
      if (hadFocus) editor.current.focus()
    }
    // Without it the text area stays, which takes code just as well.
    start().catch(() => undefined)
    addEventListener('pagehide', flush, { capture: true, signal: leaving.signal })
    return () => {
      flush()
      leaving.abort()
      editor.current?.close()
      editor.current = undefined
      setOpen(false)
    }
  }, [helpId, label])

  useEffect(() => {
    if (!editor.current || code === known.current) return
    known.current = code
    editor.current.setCode(code)
  }, [code])

  useEffect(() => {
    if (isOpen) editor.current?.setInvalid(isInvalid)
  }, [isInvalid, isOpen])

  return (
    <>
      <div
        ref={host}
        data-shadow
        hidden={!isOpen}
        className="h-96 resize-y overflow-hidden font-mono text-sm focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      />
      {!isOpen && <PlainEditor ref={plain} label={label} code={code} isInvalid={isInvalid} onChange={onChange} />}
    </>
  )
}

export const LEAVE_HELP = 'Tab indents. Press Escape, then Tab, to leave the editor.'
