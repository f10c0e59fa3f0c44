import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import type { ReactNode } from 'react'
import { Link } from '#web/router/router.tsx'
import type { Card } from '#contract/catalogue.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { usePreload } from '#web/lib/preload.ts'
import { MemberAvatar } from './member-avatar.tsx'
import { RatingStat } from './rating-stat.tsx'
import { RelativeTime } from './relative-time.tsx'
import { type Badge, honorsOf, propertiesOf } from './script-badges.ts'
import { ScriptCover } from './script-cover.tsx'
import { TagChip } from './tag-chip.tsx'

interface Props {
  card: Card
  /** Set for the first row: loads the cover without waiting for the viewport. */
  isEager?: boolean
  isFirst?: boolean
  /** More badges over the cover. */
  children?: ReactNode
}

/** A script in a list. The title's link covers the whole card; the other links lie above it. */
export function ScriptCard({ card, isEager = false, isFirst = false, children }: Props) {
  const preload = usePreload()
  const path = `/scripts/${encodeURIComponent(card.slug)}`
  return (
    <article className="group relative flex h-full min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface-1 focus-within:border-accent hover:border-line-strong motion-safe:transition-colors">
      <div className="relative aspect-video overflow-hidden border-b border-line bg-surface-2">
        <ScriptCover
          title={card.title}
          src={card.image_card}
          width={640}
          height={360}
          isEager={isEager}
          isFirst={isFirst}
        />
        <Honors badges={honorsOf(card)} />
        {children}
      </div>
      <div className="flex flex-1 flex-col gap-2 p-3">
        <h3 dir="auto" className="line-clamp-2 leading-snug font-semibold wrap-anywhere group-hover:text-accent">
          <Link
            to={path}
            onPointerEnter={() => preload(path)}
            onFocus={() => preload(path)}
            className="outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {card.title}
          </Link>
        </h3>
        <ul aria-label="Properties" className="flex flex-wrap gap-x-1.5 text-xs text-muted">
          {propertiesOf(card).map((label) => (
            <li key={label} className="not-first:before:mr-1.5 not-first:before:content-['·']">
              {label}
            </li>
          ))}
        </ul>
        <CardTags tags={card.tags} />
        <Stats card={card} />
        <Author card={card} />
      </div>
    </article>
  )
}

function Honors({ badges }: { badges: readonly Badge[] }) {
  if (badges.length === 0) return null
  return (
    <ul aria-label="Honors" className="absolute top-2 left-2 flex flex-col items-start gap-1">
      {badges.map(({ label, icon: Icon }) => (
        <li
          key={label}
          className="inline-flex items-center gap-1 rounded-sm bg-accent-strong px-2 py-0.5 text-xs font-medium text-on-accent"
        >
          <Icon aria-hidden className="size-3.5" />
          {label}
        </li>
      ))}
    </ul>
  )
}

/** The space for tags on a card, in characters, and the space that each tag's padding takes. */
const TAG_LINE = 34
const TAG_PADDING = 4

/** The tags that fit on one line, at least one, and how many are hidden. */
export function fitTags<T extends { name: string }>(tags: readonly T[]): { shown: T[]; hidden: number } {
  let room = TAG_LINE
  let count = 0
  for (const { name } of tags) {
    room -= name.length + TAG_PADDING
    if (room < 0 && count > 0) break
    count++
  }
  return { shown: tags.slice(0, count), hidden: tags.length - count }
}

function CardTags({ tags }: { tags: Card['tags'] }) {
  const { shown, hidden } = fitTags(tags)
  return (
    <ul aria-label="Tags" className="mt-auto flex h-6 min-w-0 gap-1.5 text-xs">
      {shown.map((tag) => (
        <li key={tag.id} className="flex min-w-0">
          <TagChip name={tag.name} className="relative min-h-6 before:absolute before:inset-x-0 before:-inset-y-2.5" />
        </li>
      ))}
      {hidden > 0 && (
        <li className="flex shrink-0 items-center text-muted">
          +{hidden}
          <span className="sr-only"> more tags</span>
        </li>
      )}
    </ul>
  )
}

function Stats({ card }: { card: Card }) {
  return (
    <ul aria-label="Stats" className="grid grid-cols-3 text-xs text-muted tabular-nums">
      <li className="flex items-center gap-1" title={`${fullCount(card.view_count)} views`}>
        <Eye aria-hidden className="size-4" />
        {compactCount(card.view_count)}
        <span className="sr-only"> views</span>
      </li>
      <li className="flex items-center justify-center">
        <RatingStat average={card.rating_average} count={card.rating_count} />
      </li>
      <li className="flex items-center justify-end gap-1" title={`${fullCount(card.download_count)} downloads`}>
        <Download aria-hidden className="size-4" />
        {compactCount(card.download_count)}
        <span className="sr-only"> downloads</span>
      </li>
    </ul>
  )
}

function Author({ card }: { card: Card }) {
  return (
    <div className="flex min-w-0 items-center gap-3 border-t border-line pt-3">
      <MemberAvatar member={card} name={card.author_name} />
      <div className="min-w-0 text-xs text-muted">
        <Link
          to={`/profile/${encodeURIComponent(card.author_slug)}`}
          className="relative block truncate rounded-sm text-sm font-medium text-text before:absolute before:-inset-y-3 before:inset-x-0 hover:text-accent hover:underline"
        >
          <bdi>{card.author_name}</bdi>
        </Link>
        <RelativeTime iso={card.created_at} />
      </div>
    </div>
  )
}
