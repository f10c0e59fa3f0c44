import Search from 'lucide-react/icons/search'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { controlClass } from '#web/ui/field.tsx'

const WAIT_MS = 300
const MAX_LENGTH = 200

/** Searches a moment after the last key, or at once with Enter. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [followed, setFollowed] = useState(value)
  // The address may change from elsewhere, by going back.
  if (followed !== value) {
    setFollowed(value)
    setText(value)
  }
  // What else the address says may change while the last key waits.
  const latest = useRef(onSearch)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (wanted: string) => {
    clearTimeout(timer.current)
    setFollowed(wanted.trim())
    latest.current(wanted.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    <search className="min-w-0 flex-1 basis-64">
      <form onSubmit={submit}>
        <label className="relative flex items-center">
          <span className="sr-only">{label}</span>
          <Search aria-hidden className="pointer-events-none absolute left-3 size-4 text-muted" />
          <input
            type="search"
            value={text}
            placeholder={label}
            maxLength={MAX_LENGTH}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ target }) => {
              setText(target.value)
              clearTimeout(timer.current)
              timer.current = setTimeout(search, WAIT_MS, target.value)
            }}
            className={`h-11 pl-9 sm:h-10 ${controlClass}`}
          />
        </label>
      </form>
    </search>
  )
}
