/** The portal's tabs, each by the last part of its address; the dashboard is the portal's own. */
export const TAB_LABELS = {
  dashboard: 'Dashboard',
  users: 'User Management',
  scripts: 'Script Management',
  showcases: 'Showcase Management',
  giveaways: 'Giveaway Management',
  moderation: 'Moderation',
  notifications: 'Notifications',
} as const
export type TabName = keyof typeof TAB_LABELS

export const TABS = Object.keys(TAB_LABELS) as TabName[]

export const tabAddress = (tab: TabName): string => (tab === 'dashboard' ? '/admin' : `/admin/${tab}`)

/** Where a member stands in the portal. */
export const memberAddress = (id: number): string => `/admin/users/${id}`

export interface PortalPlace {
  tab: TabName
  /** The member whose page it is. */
  memberId?: number
}

/** What an address below the portal's names; undefined where it names nothing. */
export function readPlace(address: string): PortalPlace | undefined {
  const [tab = '', id, ...rest] = address.split('/')
  const found = TABS.find((one) => tabAddress(one) === (tab ? `/admin/${tab}` : '/admin'))
  if (!found || rest.length > 0) return undefined
  if (id === undefined) return { tab: found }
  return found === 'users' && /^[1-9]\d{0,8}$/.test(id) ? { tab: found, memberId: Number(id) } : undefined
}
