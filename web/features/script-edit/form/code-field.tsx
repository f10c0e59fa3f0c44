import CircleX from 'lucide-react/icons/circle-x'
import FileUp from 'lucide-react/icons/file-up'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { utf8Length } from '#web/lib/text.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes, RequiredMark } from '#web/ui/field.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import type { CompileError } from '@scriptyard/luau-behavior/compile'
import { CodeEditor, type CodeFieldHandle } from './code-editor.tsx'
import { CODE_LABEL, LEAVE_HELP } from './use-code-mirror.ts'
import { CODE_FILE_TYPES, countLines, readCodeFile } from './validation.ts'
import { FileInput } from '#web/ui/file-input.tsx'

interface Props {
  handle: RefObject<CodeFieldHandle | null>
  code: string
  error: string | undefined
  /** With the name of the file that the code comes from. */
  onChange: (code: string, fileName?: string) => void
}

/** Code field: type, paste, drop a file or choose one. Says while it is edited whether the code compiles. */
export function CodeField({ handle, code, error, onChange }: Props) {
  const id = useId()
  const [fileError, setFileError] = useState<string>()
  const [fileName, setFileName] = useState('')
  const [compileError, setCompileError] = useState<CompileError | null>(null)
  const readFile = async (file: File) => {
    const result = await readCodeFile(file)
    setFileError('error' in result ? result.error : undefined)
    if (!('code' in result)) return
    setFileName(file.name)
    onChange(result.code, file.name)
  }
  const drop = useFileDrop(([file]) => file && void readFile(file))
  const shownError = fileError ?? error
  const isEmpty = code === ''
  return (
    <div data-field="script_content" className="flex min-w-0 flex-col gap-1.5">
      <span className="font-medium">
        {CODE_LABEL}
        <RequiredMark />
      </span>
      {/* Captured, because the editor would insert a dropped file at the cursor instead of replacing the script. */}
      <div
        onDragEnterCapture={drop.handlers.onDragEnter}
        onDragOverCapture={drop.handlers.onDragOver}
        onDragLeaveCapture={drop.handlers.onDragLeave}
        onDropCapture={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.stopPropagation()
          drop.handlers.onDrop(event)
        }}
        data-over={drop.isOver || undefined}
        className={`overflow-hidden rounded-md border ${isEmpty ? 'border-dashed' : ''} ${shownError ? 'border-danger' : 'border-line-strong'} data-over:border-accent data-over:outline-2 data-over:outline-accent`}
      >
        <FileBar fileName={isEmpty ? '' : fileName} onFile={(file) => void readFile(file)} />
        <div className="relative">
          <CodeEditor
            handle={handle}
            code={code}
            isInvalid={shownError !== undefined}
            onChange={(next) => {
              if (isEmpty) setFileName('')
              onChange(next)
            }}
            onCompileError={setCompileError}
          />
          {isEmpty && <DropHint isOver={drop.isOver} />}
        </div>
        {compileError && (
          <CompileErrorNote error={compileError} onShow={() => handle.current?.goToLine(compileError.line)} />
        )}
        <CodeSize code={code} />
      </div>
      <CompileStatus error={compileError} />
      <FieldNotes
        errorId={`${id}-error`}
        error={shownError}
        helpId={`${id}-help`}
        help={`Drop a .lua, .luau or .txt file here. ${LEAVE_HELP}`}
      />
    </div>
  )
}

function FileBar({ fileName, onFile }: { fileName: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex items-center justify-between gap-3 border-b border-line bg-surface-1 py-1.5 pr-2 pl-4">
      <bdi className="min-w-0 truncate font-mono text-sm text-muted">{fileName}</bdi>
      <Button size="sm" onClick={() => input.current?.click()} className="shrink-0">
        <FileUp aria-hidden className="size-4" />
        Choose a file
      </Button>
      <FileInput ref={input} accept={CODE_FILE_TYPES} onFile={onFile} />
    </div>
  )
}

/** Over the empty editor. Hidden from screen readers, because the help below says the same. */
function DropHint({ isOver }: { isOver: boolean }) {
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-1 px-4 pt-8 text-center ${isOver ? 'bg-accent-soft' : ''}`}
    >
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <FileUp className="size-6" />
      </span>
      <span className="font-medium">{isOver ? 'Drop the file to use its code' : 'Drop your script here'}</span>
      <span className="text-sm text-muted">.lua, .luau or .txt. Or paste or type your code.</span>
    </div>
  )
}

/** The compiler's first error. It does not stop the author from publishing. */
function CompileErrorNote({ error, onShow }: { error: CompileError; onShow: () => void }) {
  return (
    <div className="flex items-start gap-2 border-t border-line bg-surface-1 px-4 py-2 text-sm">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <p className="min-w-0 wrap-anywhere">
        <button
          type="button"
          onClick={onShow}
          className="-my-3 inline-flex min-h-11 items-center font-medium text-accent underline sm:min-h-0 sm:my-0"
        >
          Line {fullCount(error.line)}
        </button>{' '}
        doesn't compile: {error.message}
        <span className="block text-muted">You can still publish. The script's page will say so.</span>
      </p>
    </div>
  )
}

/** Time without a new result after which screen readers hear it. */
const ANNOUNCE_DELAY_MS = 1000

/** Tells screen readers about the compiler's error once the author pauses. */
function CompileStatus({ error }: { error: CompileError | null }) {
  const [text, setText] = useState('')
  useEffect(() => {
    const next = error ? `Line ${error.line} doesn't compile: ${error.message}` : ''
    const timer = setTimeout(() => setText(next), ANNOUNCE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [error])
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
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
