import ImagePlus from 'lucide-react/icons/image-plus'
import Trash2 from 'lucide-react/icons/trash'
import Upload from 'lucide-react/icons/upload'
import { type ClipboardEvent, type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { FieldNotes } from './field.tsx'
import { IMAGE_TYPES } from './image-types.ts'
import { useFileDrop } from './use-file-drop.ts'
import { FileInput } from './file-input.tsx'

const WIDE = 'aspect-video w-full rounded-sm sm:w-56'

interface Props {
  name: string
  label: string
  help?: ReactNode
  error?: string | undefined
  /** URL of the image, empty if there is none. */
  preview: string
  onFile: (file: File) => void
  onRemove: () => void
  /** Shown while there is no image. */
  fallback?: ReactNode
  /** Classes for the preview's shape. */
  frame?: string
  /** Media types of the files to choose from. */
  accept?: string
  /** Whether the preview shows the whole image instead of filling its frame. */
  isWhole?: boolean
}

/** Image field: choose a file, drop one, or paste one while the field has the focus. */
export function ImageDrop({
  name,
  label,
  help,
  error,
  preview,
  onFile,
  onRemove,
  fallback,
  frame = WIDE,
  accept = IMAGE_TYPES,
  isWhole = false,
}: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const drop = useFileDrop(([file]) => file && onFile(file))
  const paste = (event: ClipboardEvent) => {
    const file = event.clipboardData.files.item(0)
    if (!file) return
    event.preventDefault()
    onFile(file)
  }
  const choose = () => input.current?.click()
  const described = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ') || undefined
  return (
    <fieldset data-field={name} className="flex min-w-0 flex-col gap-1.5" onPaste={paste} {...drop.handlers}>
      <legend className="pb-1.5 font-medium">{label}</legend>
      <div
        data-over={drop.isOver || undefined}
        className={`flex flex-col gap-4 rounded-md border border-dashed p-3 sm:flex-row sm:items-center ${error ? 'border-danger' : 'border-line-strong'} data-over:border-accent data-over:bg-accent-soft`}
      >
        <div className={`shrink-0 overflow-hidden bg-surface-2 ${frame}`}>
          {preview ? (
            <img src={preview} alt="Preview" className={`size-full ${isWhole ? 'object-contain' : 'object-cover'}`} />
          ) : (
            (fallback ?? (
              <span className="grid size-full place-items-center text-muted">
                <ImagePlus aria-hidden className="size-8" />
              </span>
            ))
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <p className="text-sm text-muted">Drop an image here, paste it, or</p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={choose} aria-describedby={described}>
              <Upload aria-hidden className="size-4" />
              {preview ? 'Choose another image' : 'Choose an image'}
            </Button>
            {preview && (
              <Button size="sm" variant="ghost" onClick={onRemove}>
                <Trash2 aria-hidden className="size-4" />
                Remove image
              </Button>
            )}
          </div>
        </div>
        <FileInput ref={input} accept={accept} onFile={onFile} />
      </div>
      <FieldNotes errorId={`${id}-error`} error={error} helpId={`${id}-help`} help={help} />
    </fieldset>
  )
}
