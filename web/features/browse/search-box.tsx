import Search from 'lucide-react/icons/search'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { MAX_SEARCH_LENGTH } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'

interface Props {
  /** The current search. The input follows it. */
  text: string
  /** The form's action: it works without JavaScript too. */
  action: string
  onSearch: (form: FormData) => void
  /** Id of the form, for fields elsewhere on the page. */
  formId?: string
  children?: ReactNode
}

/** One input for text and #tags. */
export function SearchBox({ text, action, onSearch, formId, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const shown = useRef(text)
  // Text typed before hydration stays until the search itself changes.
  useEffect(() => {
    if (shown.current === text) return
    shown.current = text
    if (input.current) input.current.value = text
  }, [text])

  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch(new FormData(event.currentTarget))
  }
  return (
    <search>
      <form id={formId} method="get" action={action} onSubmit={search} className="flex gap-2">
        <label className="relative flex min-w-0 flex-1 items-center">
          <span className="sr-only">Search scripts</span>
          <Search aria-hidden className="pointer-events-none absolute left-3.5 size-5 text-muted max-sm:hidden" />
          <input
            ref={input}
            type="search"
            name="search"
            defaultValue={text}
            placeholder="Search scripts or #tag..."
            maxLength={MAX_SEARCH_LENGTH}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            className="h-12 w-full rounded-md border border-line-strong bg-surface-1 px-3 text-base sm:pl-11 placeholder:text-muted"
          />
        </label>
        <Button type="submit" variant="primary" className="min-h-12 max-sm:w-12 max-sm:px-0 sm:min-h-12 sm:px-5">
          <Search aria-hidden className="size-5 sm:hidden" />
          <span className="max-sm:sr-only">Search</span>
        </Button>
        {children}
      </form>
    </search>
  )
}
