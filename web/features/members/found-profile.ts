import type { ScriptList } from '#contract/catalogue.ts'
import type { Profile } from '#contract/members.ts'
import type { Formatted } from '#web/shared/markdown/render-markdown.ts'
import type { ProfileLocation } from './profile-url.ts'

export interface FoundProfile {
  state: 'found'
  profile: Profile
  /** Null if there is none. */
  bio: Formatted | null
  location: ProfileLocation
  /** A page of all scripts, or on the overview the most downloaded ones. Null if loading them failed, and if the profile is hidden. */
  scripts: ScriptList | null
  /** The viewer that the profile was loaded for. The server always renders it for visitors. */
  loadedFor: 'visitor' | 'member'
}
