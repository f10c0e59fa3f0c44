import FileUp from 'lucide-react/icons/file-up'
import { useId, useRef, useState } from 'react'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { utf8Length } from '#web/lib/text-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes, RequiredMark } from '#web/ui/field.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import { CodeEditor, LEAVE_HELP } from './code-editor.tsx'
import { CODE_FILES, readCodeFile } from './code-file.ts'
import { countLines } from './count-lines.ts'

interface Props {
  code: string
  error: string | undefined
  onChange: (code: string) => void
}

/** The script itself, typed, pasted, dropped as a file, or chosen. */
export function CodeField({ code, error, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string>()
  const take = async (file: File) => {
    const read = await readCodeFile(file)
    setRefusal('refusal' in read ? read.refusal : undefined)
    if ('code' in read) onChange(read.code)
  }
  const drop = useFileDrop((file) => void take(file))
  const problem = refusal ?? error
  return (
    <div data-field="script_content" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          Script content
          <RequiredMark />
        </span>
        <Button size="sm" onClick={() => input.current?.click()}>
          <FileUp aria-hidden className="size-4" />
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept={CODE_FILES}
          tabIndex={-1}
          aria-hidden
          className="hidden"
          onChange={(event) => {
            const file = event.target.files?.item(0)
            event.target.value = ''
            if (file) void take(file)
          }}
        />
      </div>
      {/* The editor would paste the file's name or text at the cursor: the file replaces the script instead. */}
      <div
        onDragEnterCapture={drop.handlers.onDragEnter}
        onDragOverCapture={drop.handlers.onDragOver}
        onDragLeaveCapture={drop.handlers.onDragLeave}
        onDropCapture={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.stopPropagation()
          drop.handlers.onDrop(event)
        }}
        className={`overflow-hidden rounded-md border ${problem ? 'border-danger' : 'border-line-strong'} ${drop.isOver ? 'outline-2 outline-accent' : ''}`}
      >
        <CodeEditor label="Script content" code={code} isInvalid={problem !== undefined} onChange={onChange} />
        <CodeMeasure code={code} />
      </div>
      <FieldNotes
        errorId={`${id}-error`}
        error={problem}
        helpId={`${id}-help`}
        help={`A .lua, .luau or .txt file can be dropped into it. ${LEAVE_HELP}`}
      />
    </div>
  )
}

/** How much there is, and how much may be. */
function CodeMeasure({ code }: { code: string }) {
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
