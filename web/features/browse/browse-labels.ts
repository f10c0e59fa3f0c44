import { CAPABILITY_TITLES } from '#contract/behavior-names.ts'
import type { Flag, Order } from '#contract/catalogue-names.ts'
import type { Pagination } from '#contract/catalogue.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { type BrowseSort, type BrowseState, change, hasBehavior, toggleFlag } from './browse-state.ts'

/** The form that the search box, the selects and the filters belong to. */
export const FORM_ID = 'browse'
export const PANEL_ID = 'filters'

const SORT_LABELS: Record<BrowseSort, string> = {
  created_at: 'Date Added',
  updated_at: 'Recently Updated',
  download_count: 'Downloads',
  rating_average: 'Rating',
  view_count: 'Views',
  title: 'Title',
  score: 'Recommended',
  relevance: 'Relevance',
}

const { relevance, ...withoutRelevance } = SORT_LABELS

/** Relevance is offered only for a text search, and then first. */
export function sortOptions({
  search,
  sort,
}: Pick<BrowseState, 'search' | 'sort'>): Partial<Record<BrowseSort, string>> {
  return search !== '' || sort === 'relevance' ? { relevance, ...withoutRelevance } : withoutRelevance
}

export const ORDER_LABELS: Record<Order, string> = { desc: 'Descending', asc: 'Ascending' }

export const FLAG_LABELS: Record<Flag, string> = {
  featured: 'Featured',
  no_keysystem: 'No Keysystem',
  free_only: 'Free Scripts Only',
  paid_only: 'Paid Scripts Only',
  universal_only: 'Universal Only',
  game_specific_only: 'Game-Specific Only',
  client_side_only: 'Client-Side Only',
  fe_only: 'FE Only',
  verified_creators: 'Verified Creators',
  mobile_compatible: 'Mobile Compatible',
  working_scripts: 'Working Scripts',
  showcased: 'Showcased',
  works_now: 'Works right now',
  no_remote_code: 'No remote code',
  sends_no_data: 'Sends no data',
  readable_code: 'Readable code',
  no_executor: 'Needs no executor',
  compiles: 'No compile errors',
}

/** What the site found in the code, as filters. */
const BEHAVIOR_FLAGS: readonly Flag[] = ['no_remote_code', 'sends_no_data', 'readable_code', 'no_executor', 'compiles']
export const BEHAVIOR_GROUP = 'Code check'

/** The filters in the panel. The other flags can only be set in the URL. */
export const FILTER_GROUPS: readonly { title: string; flags: readonly Flag[] }[] = [
  { title: 'Quality', flags: ['featured', 'verified_creators', 'working_scripts', 'works_now'] },
  { title: 'Access', flags: ['no_keysystem', 'free_only', 'paid_only'] },
  { title: 'Compatibility', flags: ['universal_only', 'game_specific_only', 'mobile_compatible'] },
  { title: 'Execution', flags: ['client_side_only', 'fe_only'] },
  { title: BEHAVIOR_GROUP, flags: BEHAVIOR_FLAGS },
]
export const PANEL_FLAGS: readonly Flag[] = FILTER_GROUPS.flatMap((group) => group.flags)

/** Whether the list depends on what the site found in the code. Scripts without a finished card are not in such a list. */
export function isByBehavior(state: BrowseState): boolean {
  return hasBehavior(state) || state.flags.some((flag) => BEHAVIOR_FLAGS.includes(flag))
}

/** An active search text, tag, flag, behavior or host, and the state without it. */
export interface Chip {
  key: string
  label: string
  without: BrowseState
}

export function chipsOf(state: BrowseState): Chip[] {
  const text = state.search
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
  const behaviors = (['uses', 'lacks'] as const).flatMap((name) =>
    state[name].map((id) => ({
      key: `${name} ${id}`,
      label: name === 'uses' ? CAPABILITY_TITLES[id] : `Not: ${CAPABILITY_TITLES[id]}`,
      without: change(state, { [name]: state[name].filter((each) => each !== id) }),
    })),
  )
  const hosts = state.hosts.map((host) => ({
    key: `host ${host}`,
    label: `Contacts ${host}`,
    without: change(state, { hosts: state.hosts.filter((each) => each !== host) }),
  }))
  return [...text, ...tags, ...flags, ...behaviors, ...hosts]
}

/** Title and description for search engines, link previews and the browser tab. */
export function describePage(state: BrowseState): { title: string; description: string } {
  const active = chipsOf(state).map((chip) => chip.label)
  const subject = active.length > 0 ? `Scripts: ${active.join(', ')}` : 'Community scripts for Roblox'
  return {
    title: state.page > 1 ? `${subject} · Page ${state.page}` : subject,
    description:
      active.length > 0
        ? `Community scripts that match ${active.join(', ')}. Read the code, check the reviews, copy or download.`
        : 'Browse and search Luau scripts shared by the community. Read the code, check ratings and reviews, copy or download.',
  }
}

/** The heading of a list. Every listed script is checked before visitors get it. */
export function describeCatalogue(state: BrowseState, total: number | undefined): string {
  if (chipsOf(state).length > 0) return describePage({ ...state, page: 1 }).title
  if (total === undefined || total === 0) return 'Scripts, each checked line by line'
  return total === 1 ? '1 script, checked line by line' : `${countScripts(total)}, each checked line by line`
}

export function countScripts(count: number): string {
  return count === 1 ? '1 script' : `${fullCount(count)} scripts`
}

/** The range that is shown and the total: "1–20 of 42 scripts". */
export function describeResults({ page, limit, total, pages }: Pagination): string {
  if (pages < 2 || page > pages) return countScripts(total)
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, total)
  return `${fullCount(first)}–${fullCount(last)} of ${countScripts(total)}`
}
