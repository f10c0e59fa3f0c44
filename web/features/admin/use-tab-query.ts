import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type Choices, readQuery, type Values, writeQuery } from './tab-query.ts'

/** What the tab's address says of its list, and the ways to say something else. */
export function useTabQuery<const C extends Choices>(choices: C) {
  const [query] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const values = readQuery(query, choices)
  const hrefOf = (change: Partial<Values<C>>) => `${pathname}${writeQuery({ ...values, ...change }, choices)}`
  return {
    values,
    key: writeQuery(values, choices),
    hrefOfPage: (page: number) => hrefOf({ page } as Partial<Values<C>>),
    /** Every change but that of the page begins at the first page. */
    change: (change: Partial<Values<C>>) => {
      void navigate(hrefOf({ page: 1, ...change }), { replace: true, preventScrollReset: true })
    },
  }
}
