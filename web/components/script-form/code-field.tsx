import FileUp from 'lucide-react/icons/file-up'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { utf8Length } from '#web/lib/text.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes, RequiredMark } from '#web/ui/field.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import type { Editor } from './codemirror.ts'
import { CODE_FILE_TYPES, countLines, readCodeFile } from './validation.ts'

const LABEL = 'Script content'
const LEAVE_HELP = 'Press Esc, then Tab, to leave the editor.'
/** Delay after the last keystroke before the form receives the code. */
const UPDATE_DELAY_MS = 200

interface Props {
  code: string
  error: string | undefined
  onChange: (code: string) => void
}

/** Code field: type, paste, drop a file or choose one. */
export function CodeField({ code, error, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [fileError, setFileError] = useState<string>()
  const readFile = async (file: File) => {
    const result = await readCodeFile(file)
    setFileError('error' in result ? result.error : undefined)
    if ('code' in result) onChange(result.code)
  }
  const drop = useFileDrop((file) => void readFile(file))
  const shownError = fileError ?? error
  return (
    <div data-field="script_content" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {LABEL}
          <RequiredMark />
        </span>
        <Button size="sm" onClick={() => input.current?.click()}>
          <FileUp aria-hidden className="size-4" />
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept={CODE_FILE_TYPES}
          tabIndex={-1}
          aria-hidden
          className="hidden"
          onChange={(event) => {
            const file = event.target.files?.item(0)
            event.target.value = ''
            if (file) void readFile(file)
          }}
        />
      </div>
      {/* Captured, because the editor would insert a dropped file at the cursor instead of replacing the script. */}
      <div
        onDragEnterCapture={drop.handlers.onDragEnter}
        onDragOverCapture={drop.handlers.onDragOver}
        onDragLeaveCapture={drop.handlers.onDragLeave}
        onDropCapture={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.stopPropagation()
          drop.handlers.onDrop(event)
        }}
        className={`overflow-hidden rounded-md border ${shownError ? 'border-danger' : 'border-line-strong'} ${drop.isOver ? 'outline-2 outline-accent' : ''}`}
      >
        <CodeEditor code={code} isInvalid={shownError !== undefined} onChange={onChange} />
        <CodeSize code={code} />
      </div>
      <FieldNotes
        errorId={`${id}-error`}
        error={shownError}
        helpId={`${id}-help`}
        help={`Drop a .lua, .luau or .txt file here. ${LEAVE_HELP}`}
      />
    </div>
  )
}

interface EditorProps {
  code: string
  isInvalid: boolean
  onChange: (code: string) => void
}

/** CodeMirror, loaded on demand. A plain text area until then, and if it cannot be loaded. */
function CodeEditor({ code, isInvalid, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  // The last code that editor and form agreed on. Any other code came from outside and replaces the editor's text.
  const syncedCode = useRef(code)
  const textArea = useRef<HTMLTextAreaElement>(null)
  const [isOpen, setOpen] = useState(false)
  const helpId = useId()
  const update = useEffectEvent(onChange)
  const currentCode = useEffectEvent(() => code)

  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let read: (() => string) | undefined
    const flush = () => {
      clearTimeout(timer)
      if (!read) return
      syncedCode.current = read()
      read = undefined
      update(syncedCode.current)
    }
    const start = async () => {
      const { openEditor } = await import('./codemirror.ts')
      const element = host.current
      if (controller.signal.aborted || !element) return
      const parent = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
      const help = document.createElement('p')
      help.id = helpId
      help.hidden = true
      help.textContent = LEAVE_HELP
      parent.replaceChildren(help)
      syncedCode.current = currentCode()
      const hadFocus = document.activeElement === textArea.current
      editor.current = openEditor({
        parent,
        code: syncedCode.current,
        label: LABEL,
        helpId,
        onBlur: flush,
        onChange: (readCode) => {
          read = readCode
          clearTimeout(timer)
          timer = setTimeout(flush, UPDATE_DELAY_MS)
        },
      })
      setOpen(true)
      if (hadFocus) editor.current.focus()
    }
    start().catch(() => undefined)
    addEventListener('pagehide', flush, { capture: true, signal: controller.signal })
    return () => {
      flush()
      controller.abort()
      editor.current?.close()
      editor.current = undefined
      setOpen(false)
    }
  }, [helpId])

  useEffect(() => {
    if (!editor.current || code === syncedCode.current) return
    syncedCode.current = code
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
      {!isOpen && (
        <textarea
          ref={textArea}
          dir="ltr"
          aria-label={LABEL}
          aria-required
          aria-invalid={isInvalid || undefined}
          value={code}
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="-- Paste, type or drop your script here"
          onChange={(event) => onChange(event.target.value)}
          className="block h-96 w-full resize-y bg-surface-0 px-4 py-3 font-mono text-sm/6 text-text placeholder:text-muted focus-visible:-outline-offset-2"
        />
      )}
    </>
  )
}

/** Lines, bytes and the size limit. */
function CodeSize({ code }: { code: string }) {
  const bytes = utf8Length(code)
  const lines = countLines(code)
  const isOver = bytes > MAX_CODE_BYTES
  return (
    <p
      className={`flex flex-wrap justify-between gap-x-4 border-t border-line bg-surface-1 px-4 py-1.5 text-xs tabular-nums ${isOver ? 'text-danger' : 'text-muted'}`}
    >
      <span>
        {fullCount(lines)} {lines === 1 ? 'line' : 'lines'}
      </span>
      <span>
        {fullCount(bytes)} of {fullCount(MAX_CODE_BYTES)} bytes
      </span>
    </p>
  )
}
