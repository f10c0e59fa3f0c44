import { useLoaderData, useLocation, useNavigate, useNavigation } from 'react-router'
import { type BrowseState, readBrowse, writeBrowse } from './browse-state.ts'
import type { loadBrowse } from './load-browse.ts'

/** The state in the address, what was loaded for it, and the way to another state. */
export function useBrowse() {
  const { pathname, search } = useLocation()
  const loaded = useLoaderData<typeof loadBrowse>()
  const navigation = useNavigation()
  const navigate = useNavigate()

  const state = readBrowse(new URLSearchParams(search))
  const next =
    navigation.state === 'loading' && navigation.location.pathname === pathname ? navigation.location : undefined
  const hrefOf = (target: BrowseState) => `${pathname}${writeBrowse(target)}`
  return {
    ...loaded,
    pathname,
    state,
    /** What has been asked for, from the moment of asking. */
    wanted: next ? readBrowse(new URLSearchParams(next.search)) : state,
    isPending: next !== undefined,
    hrefOf,
    show: (target: BrowseState) => navigate(hrefOf(target), { preventScrollReset: true }),
  }
}

export type Browse = ReturnType<typeof useBrowse>
