import { atomFeed } from '#contract/feed-paths.ts'
import type { Profile } from '#contract/members.ts'

const PROFILE_TABS = ['overview', 'scripts'] as const
type ProfileTab = (typeof PROFILE_TABS)[number]

/** A tab of a profile and, in the list of scripts, a page. */
export interface ProfileLocation {
  tab: ProfileTab
  page: number
}

const isTab = (text: string | null): text is ProfileTab => PROFILE_TABS.some((tab) => tab === text)

/** Reads a profile's query string. Invalid values count as missing. */
export function readProfileLocation(query: URLSearchParams): ProfileLocation {
  const tab = query.get('tab')
  const page = Number(query.get('page'))
  const isPage = Number.isSafeInteger(page) && page >= 1 && page < 2 ** 31
  return isTab(tab) && tab !== 'overview' ? { tab, page: isPage ? page : 1 } : { tab: 'overview', page: 1 }
}

/** The canonical URL of a profile's tab and page. */
export function profileUrl(slug: string, { tab, page }: ProfileLocation = { tab: 'overview', page: 1 }): string {
  const path = `/profile/${encodeURIComponent(slug)}`
  if (tab === 'overview') return path
  return page > 1 ? `${path}?tab=${tab}&page=${page}` : `${path}?tab=${tab}`
}

/** Path of the feed of a member's scripts. */
export const feedOf = ({ user_id }: Pick<Profile, 'user_id'>): string => atomFeed('scripts', `?author=${user_id}`)

export const displayNameOf = ({ display_name, username }: Pick<Profile, 'display_name' | 'username'>): string =>
  display_name || username
