import { useLocation, useNavigate, useNavigation } from '#web/router/router.tsx'

/** The values that each parameter may have, the default first. An empty list allows any text. */
type Choices = Readonly<Record<string, readonly string[]>>

type Values<C extends Choices> = {
  [K in keyof C]: C[K] extends readonly [] ? string : C[K][number]
} & { page: number }

const MAX_LENGTH = 200
const MAX_PAGE = 1_000_000

/** Reads a list's filters and page from the URL. Missing and invalid values get their defaults. */
export function readListQuery<const C extends Choices>(query: URLSearchParams, choices: C): Values<C> {
  const entries = Object.entries<readonly string[]>(choices).map(([name, known]) => {
    const value = query.get(name) ?? ''
    const isValid = known.length === 0 || known.includes(value)
    return [name, isValid ? value.slice(0, MAX_LENGTH) : (known[0] ?? '')]
  })
  const page = Number(query.get('page'))
  const isPage = Number.isInteger(page) && page >= 1 && page <= MAX_PAGE
  return { ...Object.fromEntries(entries), page: isPage ? page : 1 } as Values<C>
}

/** Writes filters and page as a URL query, defaults left out. */
export function writeListQuery<const C extends Choices>(values: Values<C>, choices: C): string {
  const query = new URLSearchParams()
  for (const [name, known] of Object.entries<readonly string[]>(choices)) {
    const value = String((values as Record<string, unknown>)[name])
    if (value && value !== known[0]) query.set(name, value)
  }
  if (values.page > 1) query.set('page', String(values.page))
  return query.size > 0 ? `?${query}` : ''
}

/** Filters and page of the list, stored in the URL. */
export function useListQuery<const C extends Choices>(choices: C) {
  const { pathname, search } = useLocation()
  const { location: next } = useNavigation()
  const navigate = useNavigate()
  // Controls show a new choice while its list is still loading.
  const shown = next?.pathname === pathname ? next.search : search
  const values = readListQuery(new URLSearchParams(shown), choices)
  const hrefOf = (change: Partial<Values<C>>) => `${pathname}${writeListQuery({ ...values, ...change }, choices)}`
  return {
    values,
    /** The URL after changed filters, on the first page. */
    hrefOf: (change: Partial<Values<C>>) => hrefOf({ page: 1, ...change }),
    hrefOfPage: (page: number) => hrefOf({ page } as Partial<Values<C>>),
    /** Changes filters and returns to the first page. */
    change: (change: Partial<Values<C>>) => {
      void navigate(hrefOf({ page: 1, ...change }), { replace: true, preventScrollReset: true })
    },
  }
}
