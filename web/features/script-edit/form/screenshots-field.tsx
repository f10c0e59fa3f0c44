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
import { imageError, type ImageMessages } from '#web/shared/image-error.ts'
import { defaultAlt, findAltError } from './validation.ts'
import type { FieldErrors, FormScreenshot, ScriptValues } from './values.ts'

const MESSAGES: ImageMessages = {
  notAnImage: 'Choose image files only.',
  tooLarge: 'Each image must be smaller than 3 MB.',
}
const FULL = `A script can have ${MAX_SCREENSHOTS} screenshots.`

interface Props {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}

/** Adds, orders, describes and removes screenshots. Files can be chosen, dropped and pasted. */
export function ScreenshotsField({ values: { screenshots, title }, errors, change }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [rejected, setRejected] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const set = (next: FormScreenshot[]) => change({ screenshots: next })
  const isFull = screenshots.length >= MAX_SCREENSHOTS

  const add = (files: readonly File[]) => {
    const error = files.map((file) => imageError(file, MESSAGES)).find((message) => message !== undefined)
    const images = files.filter((file) => imageError(file, MESSAGES) === undefined)
    const added = images.slice(0, MAX_SCREENSHOTS - screenshots.length)
    setRejected(error ?? (added.length < images.length ? FULL : undefined))
    if (added.length === 0) return
    set([...screenshots, ...added.map((file) => ({ image: file, alt: defaultAlt(file.name, title) }))])
    setAnnouncement(`${added.length} added, ${screenshots.length + added.length} of ${MAX_SCREENSHOTS}.`)
  }
  const move = (from: number, to: number) => {
    const item = screenshots[from]
    if (!item || from === to || to < 0 || to >= screenshots.length) return
    set(screenshots.toSpliced(from, 1).toSpliced(to, 0, item))
    setAnnouncement(`${item.alt} is now ${to + 1} of ${screenshots.length}.`)
  }
  const remove = (index: number) => {
    // The pressed button is removed with its row.
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = buttons[index + 1] ?? buttons[index - 1] ?? document.getElementById(`${id}-add`)
    next?.focus()
    setRejected(undefined)
    set(screenshots.toSpliced(index, 1))
    setAnnouncement(`Removed. ${screenshots.length - 1} of ${MAX_SCREENSHOTS}.`)
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
      <div
        data-over={drop.isOver || undefined}
        className={`flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed p-3 ${error ? 'border-danger' : 'border-line-strong'} data-over:border-accent data-over:bg-accent-soft`}
      >
        <Button
          id={`${id}-add`}
          size="sm"
          aria-disabled={isFull}
          aria-describedby={[error ? `${id}-error` : '', `${id}-help`].filter(Boolean).join(' ')}
          onClick={() => (isFull ? setRejected(FULL) : input.current?.click())}
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
            add(files)
          }}
        />
      </div>
      <FieldNotes
        errorId={`${id}-error`}
        error={error}
        helpId={`${id}-help`}
        help={`Up to ${MAX_SCREENSHOTS} images under 3 MB each, shown on the script's page. Describe each for people who can't see it.`}
      />
    </fieldset>
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
