import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Hash from 'lucide-react/icons/hash'
import History from 'lucide-react/icons/history'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import type { SearchSuggestions as Suggestions } from '#contract/catalogue.ts'
import { CheckChip } from '#web/shared/cards/check-chip.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { gamePath } from '#web/lib/games.ts'
import { compactCount } from '#web/lib/numbers.ts'
import { tagPath } from '#web/ui/tag-chip.tsx'
import type { Command } from './commands.ts'

export interface Option {
  key: string
  /** A path, or an action. */
  target: string | (() => void)
  content: ReactNode
  /** The text of a search, stored as a recent search when chosen. */
  search?: string
}

export interface Group {
  label: string
  options: Option[]
}

/** The same URL as the form's without JavaScript. */
export const resultsPath = (search: string) => `/scripts?${new URLSearchParams({ sort: 'relevance', search })}`

/** The recent searches, for an empty field. */
export function recentGroups(recent: readonly string[]): Group[] {
  if (recent.length === 0) return []
  const options = recent.map((search) => ({
    key: `recent ${search}`,
    target: resultsPath(search),
    search,
    content: <Row icon={<History aria-hidden className="size-4 text-muted" />}>{search}</Row>,
  }))
  return [{ label: 'Recent searches', options }]
}

/** What matches a text, the search for it, and commands. Groups without options are left out. */
export function groupsOf(
  search: string,
  { titles, tags, games, authors }: Suggestions,
  commands: readonly Command[],
): Group[] {
  return [
    { label: 'Scripts', options: titles.map(scriptOption) },
    { label: 'Tags', options: tags.map(tagOption) },
    { label: 'Games', options: games.map(gameOption) },
    { label: 'Authors', options: authors.map(authorOption) },
    { label: 'All results', options: [searchOption(search)] },
    { label: 'Pages and actions', options: commands.map(commandOption) },
  ].filter(({ options }) => options.length > 0)
}

const scriptOption = (script: Suggestions['titles'][number]): Option => ({
  key: `script ${script.id}`,
  target: `/scripts/${encodeURIComponent(script.slug)}`,
  content: (
    <>
      <span className="aspect-video w-16 shrink-0 overflow-hidden rounded-sm bg-surface-2">
        <ScriptCover title={script.title} src={script.image_card} width={64} height={36} isEager />
      </span>
      <span className="min-w-0 py-1">
        <span className="block truncate">
          <bdi>{script.title}</bdi>
        </span>
        <span className="flex items-center gap-2 text-xs text-muted">
          <bdi className="truncate">{script.author_name}</bdi>
          {script.warning && <CheckChip warning={script.warning} isPlain />}
        </span>
      </span>
    </>
  ),
})

const tagOption = ({ id, name, count }: Suggestions['tags'][number]): Option => ({
  key: `tag ${id}`,
  target: tagPath(name),
  content: (
    <Row icon={<Hash aria-hidden className="size-4 text-muted" />} aside={compactCount(count)}>
      {name}
    </Row>
  ),
})

const gameOption = ({ game_id, name, script_count }: Suggestions['games'][number]): Option => ({
  key: `game ${game_id}`,
  target: gamePath(game_id),
  content: (
    <Row icon={<Gamepad2 aria-hidden className="size-4 text-muted" />} aside={compactCount(script_count)}>
      {name}
    </Row>
  ),
})

const authorOption = ({ id, name, slug, avatar }: Suggestions['authors'][number]): Option => ({
  key: `author ${id}`,
  target: `/profile/${encodeURIComponent(slug)}`,
  content: (
    <>
      <MemberAvatar member={{ author_avatar: avatar }} name={name} size="small" />
      <bdi className="truncate">{name}</bdi>
    </>
  ),
})

const searchOption = (search: string): Option => ({
  key: 'all',
  target: resultsPath(search),
  search,
  content: (
    <Row
      icon={<Search aria-hidden className="size-4 text-muted" />}
      aside={<CornerDownLeft aria-hidden className="size-4" />}
    >
      {search}
    </Row>
  ),
})

const commandOption = ({ label, icon: Icon, target }: Command): Option => ({
  key: `command ${label}`,
  target,
  content: <Row icon={<Icon aria-hidden className="size-4 text-muted" />}>{label}</Row>,
})

function Row({ icon, aside, children }: { icon: ReactNode; aside?: ReactNode; children: string }) {
  return (
    <>
      <span className="flex w-6 shrink-0 justify-center">{icon}</span>
      <bdi className="truncate">{children}</bdi>
      {aside !== undefined && <span className="ml-auto text-xs text-muted tabular-nums">{aside}</span>}
    </>
  )
}
