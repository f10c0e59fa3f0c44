import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash2 from 'lucide-react/icons/trash'
import Upload from 'lucide-react/icons/upload'
import { useId, useRef, useState } from 'react'
import { MAX_SCREENSHOT_ALT_LENGTH, MAX_SCREENSHOTS } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes, RequiredMark } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { IMAGE_TYPES } from '#web/ui/image-types.ts'
import { TextInput } from '#web/ui/text-input.tsx'
import { useDragOrder } from '#web/ui/use-drag-order.ts'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import { imageUrl } from './script-fields.tsx'
import { addScreenshots, FULL, moveScreenshot, removeScreenshot } from './screenshot-list.ts'
import { findAltError } from './validation.ts'
import type { FieldErrors, FormScreenshot, ScriptValues } from './values.ts'

interface Props {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}

/** Adds, orders, describes and removes screenshots. Files can be chosen, dropped and pasted. */
export function ScreenshotsField({ values: { screenshots, title }, errors, change }: Props) {
  const id = useId()
  const list = useRef<HTMLOListElement>(null)
  const [rejected, setRejected] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const set = (next: FormScreenshot[]) => change({ screenshots: next })
  const apply = (next: ReturnType<typeof moveScreenshot>) => {
    if (!next) return
    set(next.screenshots)
    setAnnouncement(next.announcement)
  }

  const add = (files: readonly File[]) => {
    const result = addScreenshots(screenshots, files, title)
    setRejected(result.rejected)
    apply(result.change)
  }
  const move = (from: number, to: number) => apply(moveScreenshot(screenshots, from, to))
  const remove = (index: number) => {
    // The pressed button is removed with its row.
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = buttons[index + 1] ?? buttons[index - 1] ?? document.getElementById(`${id}-add`)
    next?.focus()
    setRejected(undefined)
    apply(removeScreenshot(screenshots, index))
  }
  useDragOrder(list, move)
  const drop = useFileDrop(add)
  const error = rejected ?? errors['screenshots']
  return (
    <fieldset
      data-field="screenshots"
      className="flex min-w-0 flex-col gap-1.5"
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return
        event.preventDefault()
        add([...event.clipboardData.files])
      }}
      {...drop.handlers}
    >
      <legend className="w-full pb-1.5">
        <span className="flex items-baseline justify-between gap-4">
          <span className="font-medium">Screenshots</span>
          <span className="text-xs text-muted tabular-nums">
            {screenshots.length} / {MAX_SCREENSHOTS}
          </span>
        </span>
      </legend>
      <output className="sr-only">{announcement}</output>
      <ol ref={list} className="flex flex-col gap-2 empty:hidden">
        {screenshots.map(({ image, alt }, index) => (
          <Row
            key={imageUrl(image)}
            screenshot={{ image, alt }}
            index={index}
            count={screenshots.length}
            error={errors['screenshots'] && findAltError(alt) !== undefined ? `${id}-error` : undefined}
            onAlt={(text) => set(screenshots.with(index, { image, alt: text }))}
            onMove={(to) => move(index, to)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <AddBox
        id={id}
        isOver={drop.isOver}
        hasError={error !== undefined}
        onFull={screenshots.length >= MAX_SCREENSHOTS ? () => setRejected(FULL) : undefined}
        onFiles={add}
      />
      <FieldNotes
        errorId={`${id}-error`}
        error={error}
        helpId={`${id}-help`}
        help={`Up to ${MAX_SCREENSHOTS} images under 3 MB each, shown on the script's page. Describe each for people who can't see it.`}
      />
    </fieldset>
  )
}

interface AddBoxProps {
  id: string
  isOver: boolean
  hasError: boolean
  /** What the button does instead of choosing files if there is no room. */
  onFull: (() => void) | undefined
  onFiles: (files: File[]) => void
}

function AddBox({ id, isOver, hasError, onFull, onFiles }: AddBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      data-over={isOver || undefined}
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed p-3 ${hasError ? 'border-danger' : 'border-line-strong'} data-over:border-accent data-over:bg-accent-soft`}
    >
      <Button
        id={`${id}-add`}
        size="sm"
        aria-disabled={onFull !== undefined}
        aria-describedby={[hasError ? `${id}-error` : '', `${id}-help`].filter(Boolean).join(' ')}
        onClick={() => (onFull ? onFull() : input.current?.click())}
      >
        <Upload aria-hidden className="size-4" />
        Add screenshots
      </Button>
      <p className="text-sm text-muted">or drop them here</p>
      <input
        ref={input}
        type="file"
        multiple
        accept={IMAGE_TYPES}
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Without this, choosing the same file again after removing it would fire no event.
          event.target.value = ''
          onFiles(files)
        }}
      />
    </div>
  )
}

interface RowProps {
  screenshot: FormScreenshot
  index: number
  count: number
  /** Id of the error about the description. */
  error: string | undefined
  onAlt: (alt: string) => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** Buttons at the ends of the list stay focusable, so that the focus is not lost while moving. */
function Row({ screenshot: { image, alt }, index, count, error, onAlt, onMove, onRemove }: RowProps) {
  const id = useId()
  const name = `screenshot ${index + 1}`
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 rounded-md border border-line bg-surface-0 p-2 sm:grid-cols-[auto_auto_minmax(0,1fr)_auto]">
      <span draggable aria-hidden title="Drag to move" className="cursor-grab p-1 text-muted max-sm:hidden">
        <GripVertical className="size-5" />
      </span>
      <img
        src={imageUrl(image)}
        alt=""
        draggable={false}
        className="aspect-video w-28 rounded-sm bg-surface-2 object-cover"
      />
      <div className="flex min-w-0 flex-col gap-1 max-sm:order-1 max-sm:col-span-3">
        <label htmlFor={id} className="text-sm text-muted">
          What {name} shows
          <RequiredMark />
        </label>
        <TextInput
          id={id}
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={error}
          value={alt}
          maxLength={MAX_SCREENSHOT_ALT_LENGTH}
          onChange={onAlt}
        />
      </div>
      <span className="flex justify-self-end max-sm:col-span-2">
        <IconButton
          icon={ArrowUp}
          label={`Move ${name} up`}
          aria-disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Move ${name} down`}
          aria-disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        />
        <IconButton icon={Trash2} label={`Remove ${name}`} data-remove onClick={onRemove} />
      </span>
    </li>
  )
}
