import { useEffect, useState } from 'react'
import type { Flag } from '#contract/catalogue-names.ts'
import type { Facets } from '#contract/catalogue.ts'
import { useApi } from '#web/lib/api-context.ts'
import { toggleFlag } from './browse-state.ts'
import { filtersOf } from './list-query.ts'
import type { Browse } from './use-browse.ts'

interface Draft {
  /** The flags in the address while the draft was made; under others it means nothing. */
  of: string
  flags: Flag[]
}

/** Choices in the panel that wait for Apply Filters, and what they would leave. */
export function useStagedFilters({ state, facets }: Pick<Browse, 'state' | 'facets'>) {
  const [draft, setDraft] = useState<Draft>()
  const applied = state.flags.join()
  const flags = draft?.of === applied ? draft.flags : state.flags
  const isStaged = flags.join() !== applied
  const counted = useFacets({ search: state.search, tags: state.tags.join(), flags: flags.join() }, isStaged)
  return {
    flags,
    isStaged,
    facets: isStaged ? (counted ?? facets) : facets,
    /** Null until the choices have been counted. */
    total: isStaged ? (counted?.total ?? null) : (facets?.total ?? null),
    toggle: (flag: Flag, isOn: boolean) => setDraft({ of: applied, flags: toggleFlag(flags, flag, isOn) }),
    discard: () => setDraft(undefined),
  }
}

function split(list: string): string[] {
  return list ? list.split(',') : []
}

/** The counts for filters that are not in the address. Texts, so that an effect can tell whether they changed. */
function useFacets(
  { search, tags, flags }: Record<'search' | 'tags' | 'flags', string>,
  isNeeded: boolean,
): Facets | undefined {
  const api = useApi()
  const key = `${search} ${tags} ${flags}`
  const [counted, setCounted] = useState<{ key: string; facets: Facets }>()
  useEffect(() => {
    if (!isNeeded) return undefined
    const aborter = new AbortController()
    const query = filtersOf({ search, tags: split(tags), flags: split(flags) as Flag[] })
    api('GET /api/script-facets', { query, signal: aborter.signal }).then(
      (facets) => setCounted({ key, facets }),
      // The counts are a help only: without them the choices work all the same.
      () => undefined,
    )
    return () => aborter.abort()
  }, [api, key, search, tags, flags, isNeeded])
  return counted?.key === key ? counted.facets : undefined
}
