export type SettingsTab = 'info' | 'privacy'

export const readSettingsTab = (query: URLSearchParams): SettingsTab =>
  query.get('tab') === 'privacy' ? 'privacy' : 'info'

export const settingsAddress = (tab: SettingsTab): string =>
  tab === 'privacy' ? '/profile/settings?tab=privacy' : '/profile/settings'
