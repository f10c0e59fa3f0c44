/** What each parameter may say, the usual first. An empty list lets anything through. */
export type Choices = Readonly<Record<string, readonly string[]>>
export type Values<C extends Choices> = {
  [K in keyof C]: C[K] extends readonly [] ? string : C[K][number]
} & { page: number }

const MAX_VALUE = 200
const MAX_PAGE = 1_000_000

/** What an address says of a list; the usual for what it leaves out or gets wrong. */
export function readQuery<const C extends Choices>(query: URLSearchParams, choices: C): Values<C> {
  const entries = Object.entries<readonly string[]>(choices).map(([name, known]) => {
    const given = query.get(name) ?? ''
    const isKnown = known.length === 0 || known.includes(given)
    return [name, isKnown ? given.slice(0, MAX_VALUE) : (known[0] ?? '')]
  })
  const page = Number(query.get('page'))
  const isPage = Number.isInteger(page) && page >= 1 && page <= MAX_PAGE
  return { ...Object.fromEntries(entries), page: isPage ? page : 1 } as Values<C>
}

/** The query that says so, without what is usual. */
export function writeQuery<const C extends Choices>(values: Values<C>, choices: C): string {
  const query = new URLSearchParams()
  for (const [name, known] of Object.entries<readonly string[]>(choices)) {
    const value = String((values as Record<string, unknown>)[name])
    if (value && value !== known[0]) query.set(name, value)
  }
  if (values.page > 1) query.set('page', String(values.page))
  return query.size > 0 ? `?${query}` : ''
}
