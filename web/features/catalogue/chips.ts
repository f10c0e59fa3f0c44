import { FLAG_LABELS } from './browse-labels.ts'
import { type BrowseState, change, toggleFlag } from './browse-state.ts'

/** One thing that is on, and the state without it. */
export interface Chip {
  key: string
  label: string
  without: BrowseState
}

export function chipsOf(state: BrowseState): Chip[] {
  const words = state.search
    ? [{ key: 'search', label: `“${state.search}”`, without: change(state, { search: '' }) }]
    : []
  const tags = state.tags.map((tag) => ({
    key: `tag ${tag}`,
    label: `#${tag}`,
    without: change(state, { tags: state.tags.filter((each) => each !== tag) }),
  }))
  const flags = state.flags.map((flag) => ({
    key: flag,
    label: FLAG_LABELS[flag],
    without: change(state, { flags: toggleFlag(state.flags, flag, false) }),
  }))
  return [...words, ...tags, ...flags]
}
