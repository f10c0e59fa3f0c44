import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { type FieldAria, controlClass } from './field.tsx'

interface Props extends FieldAria {
  tags: readonly string[]
  /** Adds the tags in a text. Returns what remains in the input. */
  onAdd: (text: string) => string
  onRemove: (tag: string) => void
  suggestions: readonly string[]
  /** Suggestions that fit this thing, shown first. */
  proposals?: readonly string[]
  disabled?: boolean
}

const NO_TAGS: readonly string[] = []

/** Tags with remove buttons and suggestions. Enter adds a tag; Backspace in the empty input removes the last one. */
export function TagInput({
  tags,
  onAdd,
  onRemove,
  suggestions,
  proposals = NO_TAGS,
  disabled = false,
  ...aria
}: Props) {
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const add = (input: string) => setText(onAdd(input))
  const press = (event: KeyboardEvent) => {
    // While composing (IME), Enter confirms a word.
    if (event.nativeEvent.isComposing) return
    const last = tags.at(-1)
    if (event.key === 'Enter') {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
      onRemove(last)
    }
  }
  const remove = (tag: string) => {
    onRemove(tag)
    // The focused button was removed.
    box.current?.focus()
  }
  const isOpen = (name: string) => !tags.includes(name.toLowerCase())
  const proposed = proposals.filter(isOpen)
  const popular = suggestions.filter((name) => isOpen(name) && !proposed.includes(name))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {tags.length > 0 && (
        <ul aria-label="Chosen tags" className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex min-h-9 max-w-full items-center rounded-full bg-accent-soft pl-3 text-accent"
            >
              <bdi className="truncate">{tag}</bdi>
              <button
                type="button"
                aria-label={`Remove ${tag}`}
                onClick={() => remove(tag)}
                className="relative grid size-9 shrink-0 place-items-center rounded-full before:absolute before:-inset-1 hover:text-text sm:before:hidden"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={box}
        {...aria}
        type="text"
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        value={text}
        disabled={disabled}
        placeholder={disabled ? 'No more tags' : 'Type a tag and press Enter'}
        onKeyDown={press}
        onChange={(event) => setText(event.target.value)}
        // Text without a final Enter counts too.
        onBlur={() => add(text)}
        className={`h-11 sm:h-10 ${controlClass}`}
      />
      {!disabled && <Suggestions label="Proposed tags" names={proposed} isMarked onAdd={onAdd} />}
      {!disabled && <Suggestions label="Popular tags" names={popular} onAdd={onAdd} />}
    </div>
  )
}

interface SuggestionsProps {
  label: string
  names: readonly string[]
  isMarked?: boolean
  onAdd: (name: string) => void
}

function Suggestions({ label, names, isMarked = false, onAdd }: SuggestionsProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span id={id} className={isMarked ? 'text-sm text-muted' : 'sr-only'}>
        {label}
      </span>
      <ul aria-labelledby={id} className="contents">
        {names.map((name) => (
          <li key={name} className="max-w-full">
            <button
              type="button"
              aria-label={`Add ${name}`}
              data-marked={isMarked || undefined}
              onClick={() => onAdd(name)}
              className="inline-flex min-h-11 max-w-full items-center gap-1 rounded-full border border-line bg-surface-1 px-3 text-muted hover:border-line-strong hover:text-text data-marked:border-dashed data-marked:border-accent data-marked:text-accent sm:min-h-8"
            >
              <Plus aria-hidden className="size-3.5" />
              <bdi className="truncate">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
