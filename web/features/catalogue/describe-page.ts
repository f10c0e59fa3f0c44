import type { BrowseState } from './browse-state.ts'
import { chipsOf } from './chips.ts'

/** Title and description for search engines, previews and tabs. */
export function describePage(state: BrowseState): { title: string; description: string } {
  const on = chipsOf(state).map((chip) => chip.label)
  const subject = on.length > 0 ? `Scripts: ${on.join(', ')}` : 'Community scripts for Roblox'
  return {
    title: state.page > 1 ? `${subject} · Page ${state.page}` : subject,
    description:
      on.length > 0
        ? `Community scripts that fit ${on.join(', ')}: read the code, see what others say, copy or download it.`
        : 'Browse and search Luau scripts shared by the community: read the code, see ratings and reviews, copy or download.',
  }
}
