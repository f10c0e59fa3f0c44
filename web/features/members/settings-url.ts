const TABS = ['info', 'privacy', 'notifications'] as const
export type SettingsTab = (typeof TABS)[number]

export const readSettingsTab = (query: URLSearchParams): SettingsTab =>
  TABS.find((tab) => tab === query.get('tab')) ?? 'info'

export const settingsUrl = (tab: SettingsTab): string =>
  tab === 'info' ? '/profile/settings' : `/profile/settings?tab=${tab}`
