import { useEffect, useId, useState } from 'react'
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldNotes } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

export interface ChosenScript {
  id: number
  title: string
}

const CHOICES = [
  { isAll: true, label: 'All my scripts, including future ones' },
  { isAll: false, label: 'Only these' },
]
/** The search field is shown only if the member has more scripts than this. */
const MIN_SEARCHED = 10

/** All scripts of the member (null), or some of them. */
export function OwnScriptsField({
  chosen,
  limit,
  noun,
  error,
  onChange,
}: {
  chosen: readonly ChosenScript[] | null
  limit: number
  /** What the scripts are chosen for. */
  noun: 'webhook' | 'token'
  error: string | undefined
  onChange: (scripts: readonly ChosenScript[] | null) => void
}) {
  const id = useId()
  const [attempt, setAttempt] = useState(0)
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={error && `${id}-error`}>
      <legend className="pb-1.5 font-medium">Scripts</legend>
      {CHOICES.map(({ isAll, label }) => (
        <label key={label} className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-9">
          <input
            type="radio"
            name={id}
            checked={isAll === (chosen === null)}
            onChange={() => onChange(isAll ? null : [])}
            className="size-4 accent-accent-strong"
          />
          {label}
        </label>
      ))}
      {chosen && (
        <ScriptBoxes
          key={attempt}
          chosen={chosen}
          limit={limit}
          noun={noun}
          isInvalid={error !== undefined}
          onChange={onChange}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
      <FieldNotes errorId={`${id}-error`} error={error} helpId={`${id}-help`} help={undefined} />
    </fieldset>
  )
}

function ScriptBoxes({
  chosen,
  limit,
  noun,
  isInvalid,
  onChange,
  onRetry,
}: {
  chosen: readonly ChosenScript[]
  limit: number
  noun: string
  isInvalid: boolean
  onChange: (scripts: readonly ChosenScript[]) => void
  onRetry: () => void
}) {
  const [search, setSearch] = useState('')
  const { matches, total } = useOwnScripts(search.trim())
  if (matches === null) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>Couldn't load your scripts.</p>
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!matches) return <Skeleton className="h-24" />
  if (total === 0 && chosen.length === 0) return <p className="text-muted">You have no scripts yet.</p>
  const isChosen = ({ id }: ChosenScript) => chosen.some((script) => script.id === id)
  // Chosen ones stay visible while the search finds others.
  const listed = [...chosen, ...matches.filter((script) => !isChosen(script))]
  return (
    <div className="flex flex-col gap-3 rounded-sm border border-line p-3">
      {total > MIN_SEARCHED && (
        <Field name="script_search" label="Search your scripts">
          {(aria) => <TextInput {...aria} value={search} maxLength={MAX_SEARCH_LENGTH} onChange={setSearch} />}
        </Field>
      )}
      <div className="max-h-60 overflow-y-auto">
        {listed.map((script) => (
          <label key={script.id} className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-9">
            <Checkbox
              checked={isChosen(script)}
              aria-invalid={isInvalid ? true : undefined}
              disabled={!isChosen(script) && chosen.length >= limit}
              onChange={() =>
                onChange(isChosen(script) ? chosen.filter(({ id }) => id !== script.id) : [...chosen, script])
              }
            />
            <bdi className="min-w-0 wrap-anywhere">{script.title}</bdi>
          </label>
        ))}
        {matches.length === 0 && search !== '' && <p className="text-muted">None of your scripts match.</p>}
      </div>
      {chosen.length >= limit && (
        <p className="text-sm text-muted">
          A {noun} can have {limit} scripts.
        </p>
      )}
    </div>
  )
}

const SEARCH_DELAY_MS = 200

/** The member's scripts that match, private ones too: undefined while loading, null if loading failed. `total` counts all. */
function useOwnScripts(search: string) {
  const api = useApi()
  const author = useSession().user?.id
  const [matches, setMatches] = useState<readonly ChosenScript[] | null>()
  const [total, setTotal] = useState(0)
  useEffect(() => {
    if (author === undefined) return undefined
    const request = new AbortController()
    const { signal } = request
    const load = async () => {
      const query = { author, limit: MAX_PAGE_SIZE, sort: 'updated_at', ...(search && { search }) } as const
      try {
        const { scripts, pagination } = await api('GET /api/scripts', { query, signal })
        setMatches(scripts.map(({ id, title }) => ({ id, title })))
        if (search === '') setTotal(pagination.total)
      } catch {
        if (!signal.aborted) setMatches(null)
      }
    }
    const timer = setTimeout(() => void load(), search ? SEARCH_DELAY_MS : 0)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [api, author, search])
  return { matches, total }
}
