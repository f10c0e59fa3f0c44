import type { Script } from '#contract/scripts.ts'

type Slug = Pick<Script, 'slug'>

export const scriptPath = ({ slug }: Slug): string => `/scripts/${encodeURIComponent(slug)}`

export const editPath = (script: Slug): string => `${scriptPath(script)}/edit`

/** State of the navigation that opens the dialog of the edit path over the page of the script. */
export interface OverPage {
  isOverPage?: boolean
}

export type VersionTab = 'code' | 'repository'

/** Path of the page that publishes versions, from code or from a repository. */
export const newVersionPath = (script: Slug, tab: VersionTab = 'code'): string =>
  `${scriptPath(script)}/new-version${tab === 'code' ? '' : `?tab=${tab}`}`
