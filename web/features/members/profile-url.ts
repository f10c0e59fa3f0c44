export const PROFILE_TABS = ['overview', 'scripts'] as const
export type ProfileTab = (typeof PROFILE_TABS)[number]

/** Where in a profile somebody is. */
export interface ProfileLocation {
  tab: ProfileTab
  /** Of the scripts. */
  page: number
}

const isTab = (text: string | null): text is ProfileTab => PROFILE_TABS.some((tab) => tab === text)

/** The place that an address names; what it cannot name counts as left out. */
export function readProfileLocation(query: URLSearchParams): ProfileLocation {
  const tab = query.get('tab')
  const page = Number(query.get('page'))
  const isPage = Number.isSafeInteger(page) && page >= 1 && page < 2 ** 31
  return isTab(tab) && tab !== 'overview' ? { tab, page: isPage ? page : 1 } : { tab: 'overview', page: 1 }
}

/** The one address of a place in a member's profile. */
export function profileUrl(slug: string, { tab, page }: ProfileLocation = { tab: 'overview', page: 1 }): string {
  const path = `/profile/${encodeURIComponent(slug)}`
  if (tab === 'overview') return path
  return page > 1 ? `${path}?tab=${tab}&page=${page}` : `${path}?tab=${tab}`
}
