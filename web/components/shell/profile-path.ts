import type { CurrentUser } from '#contract/accounts.ts'

export const profilePath = ({ username, slug }: CurrentUser): string => `/profile/${username && slug ? slug : 'me'}`
