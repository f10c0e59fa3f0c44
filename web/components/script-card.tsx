import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Card } from '#contract/catalogue.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { usePreload } from '#web/lib/preload.ts'
import { Honours, Properties } from './badge-strips.tsx'
import { fitTags } from './fit-tags.ts'
import { MemberAvatar } from './member-avatar.tsx'
import { RatingStat } from './rating-stat.tsx'
import { RelativeTime } from './relative-time.tsx'
import { ScriptCover } from './script-cover.tsx'
import { TagChip } from './tag-chip.tsx'

interface Props {
  card: Card
  /** In the first row, so that its cover must not wait. */
  isEager?: boolean
  isFirst?: boolean
  /** More badges over the cover, beside what every list shows. */
  children?: ReactNode
}

/** A script in a list. The title's link is stretched over the card; what is a link of its own lies above it. */
export function ScriptCard({ card, isEager = false, isFirst = false, children }: Props) {
  const preload = usePreload()
  const address = `/scripts/${encodeURIComponent(card.slug)}`
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
        <Honours card={card} />
        {children}
        <Properties card={card} />
      </div>
      <div className="flex flex-1 flex-col gap-2 p-3">
        <h3 dir="auto" className="line-clamp-2 leading-snug font-semibold wrap-anywhere group-hover:text-accent">
          <Link
            to={address}
            onPointerEnter={() => preload(address)}
            onFocus={() => preload(address)}
            className="outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {card.title}
          </Link>
        </h3>
        <CardTags tags={card.tags} />
        <Figures card={card} />
        <Author card={card} />
      </div>
    </article>
  )
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

function Figures({ card }: { card: Card }) {
  return (
    <ul aria-label="Figures" className="grid grid-cols-3 text-xs text-muted tabular-nums">
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
