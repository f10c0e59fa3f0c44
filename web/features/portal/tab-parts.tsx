import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { LucideIcon } from 'lucide-react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Search from 'lucide-react/icons/search'
import type { CountedPage } from '#contract/admin.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { controlClass } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const SKELETON_ROWS = [0, 1, 2, 3, 4, 5]
const SEARCH_DELAY_MS = 300
const MAX_SEARCH_LENGTH = 200

export function TabSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-10 w-full max-w-md" />
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  )
}

export function LoadError({ text, onRetry }: { text: string; onRetry: () => Promise<void> }) {
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title="Couldn't load this data" text={text}>
        <Button variant="primary" onClick={() => void onRetry()}>
          Try again
        </Button>
      </EmptyState>
    </div>
  )
}

/** The number of results. The server stops counting very long lists. */
export function ListCount({
  pagination,
  singular,
  plural,
}: {
  pagination: CountedPage | undefined
  singular: string
  plural: string
}) {
  return (
    <p role="status" className="min-h-5 text-muted tabular-nums">
      {pagination && totalText(pagination, singular, plural)}
    </p>
  )
}

function totalText({ total, is_exact }: CountedPage, singular: string, plural: string): string {
  if (!is_exact) return `More than ${fullCount(total - 1)} ${plural}`
  return `${fullCount(total)} ${total === 1 ? singular : plural}`
}

/** Search field. Searches shortly after the last keystroke, or immediately with Enter. */
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
  const [known, setKnown] = useState({ value, sent: value })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (known.value !== value) {
    setKnown({ ...known, value })
    // A value that the field did not send comes from the back button. Otherwise the text stays, because typing may have
    // continued.
    if (value !== known.sent) setText(value)
  }
  // Other filters may change while the timer runs.
  const latest = useRef(onSearch)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (input: string) => {
    clearTimeout(timer.current)
    setKnown((old) => ({ ...old, sent: input.trim() }))
    latest.current(input.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    <search className="min-w-0 flex-1 basis-64 max-sm:basis-full">
      <form onSubmit={submit}>
        <label className="relative flex items-center">
          <span className="sr-only">{label}</span>
          <Search aria-hidden className="pointer-events-none absolute left-3 size-4 text-muted" />
          <input
            type="search"
            value={text}
            placeholder={label}
            maxLength={MAX_SEARCH_LENGTH}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ target }) => {
              setText(target.value)
              clearTimeout(timer.current)
              timer.current = setTimeout(search, SEARCH_DELAY_MS, target.value)
            }}
            className={`h-11 pl-9 sm:h-10 ${controlClass}`}
          />
        </label>
      </form>
    </search>
  )
}

/** A number with a label above and an explanation below. */
export function StatCard({
  icon: Icon,
  label,
  value,
  help,
  children,
}: {
  icon: LucideIcon
  label: string
  value: string
  help?: ReactNode
  children?: ReactNode
}) {
  return (
    <section aria-label={label} className="flex h-full flex-col gap-1 rounded-md border border-line bg-surface-1 p-4">
      <h3 className="flex items-center justify-between gap-2 font-medium text-muted">
        {label}
        <Icon aria-hidden className="size-5 shrink-0" />
      </h3>
      <p className="text-[32px] leading-tight font-semibold tabular-nums">{value}</p>
      {help && <p className="text-muted">{help}</p>}
      {children}
    </section>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{children}</dd>
    </>
  )
}
