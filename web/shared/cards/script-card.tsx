import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import { type ReactNode, Suspense } from 'react'
import { Link, useLocation } from '#web/router/router.tsx'
import type { Card } from '#contract/catalogue.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fromList } from '#web/lib/list-return.ts'
import { gamePath, gameTitle } from '#web/lib/games.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { usePreload } from '#web/lib/preload.ts'
import { useUser } from '#web/lib/session.tsx'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RatingStat } from './rating-stat.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { CheckChip } from './check-chip.tsx'
import { type Badge, honorsOf, VERIFIED, warningsOf } from './script-badges.ts'
import { ScriptCover } from './script-cover.tsx'
import { TagChip } from '#web/ui/tag-chip.tsx'

const CardFavorite = lazyComponent(async () => (await import('./card-favorite.tsx')).CardFavorite)

/** Of the widest lists. */
const MAX_COLUMNS = 4

const NO_BADGES: readonly Badge[] = []

interface Props {
  card: Card
  /** Position in its list, from 0. Covers of the first row are loaded without waiting for the viewport. */
  index?: number
  /** Whether members can add it to their favorites here. */
  hasFavorite?: boolean
  /** A button in the upper corner. */
  action?: ReactNode
  /** Badges of the list, before the honors. */
  badges?: readonly Badge[] | undefined
}

/**
 * A script in a list: the cover above the text, or beside the title on phones. The title's link covers the whole card; the
 * other links lie above it.
 */
export function ScriptCard({ card, index = MAX_COLUMNS, hasFavorite = true, action, badges = NO_BADGES }: Props) {
  return (
    <article className="group relative grid h-full min-w-0 grid-cols-[6.5rem_minmax(0,1fr)] content-start gap-x-3 gap-y-2 overflow-hidden rounded-md border border-line bg-surface-1 p-3 focus-within:border-accent hover:border-line-strong motion-safe:transition-colors sm:flex sm:flex-col sm:gap-0 sm:p-0 rows:flex-row">
      <div className="relative aspect-video overflow-hidden bg-surface-2 max-sm:rounded-sm sm:aspect-2/1 sm:border-b sm:border-line rows:aspect-auto rows:w-40 rows:shrink-0 rows:border-r rows:border-b-0">
        <ScriptCover
          title={card.title}
          src={card.image_card}
          width={640}
          height={360}
          isEager={index < MAX_COLUMNS}
          isFirst={index === 0}
        />
        {hasFavorite && <FavoriteSlot card={card} />}
      </div>
      <Badges badges={[...badges, ...honorsOf(card)].filter((badge) => badge !== VERIFIED)} />
      {action && <span className="absolute top-2 right-2 z-10 rounded-sm bg-surface-0/85">{action}</span>}
      <div className="max-sm:contents sm:flex sm:flex-1 sm:flex-col sm:gap-2 sm:p-3 rows:grid rows:min-w-0 rows:grid-cols-[minmax(0,1fr)_18rem] rows:gap-x-4 rows:gap-y-1">
        <div className={`flex min-w-0 flex-col gap-1 ${action ? 'max-sm:pr-11' : ''}`}>
          <Title card={card} />
          <Author card={card} hasDate={!action} />
          {action && <Added card={card} className="sm:hidden" />}
        </div>
        <p
          dir="auto"
          className="line-clamp-2 leading-snug text-muted wrap-anywhere max-sm:col-span-2 rows:line-clamp-1"
        >
          {card.summary}
        </p>
        <Warnings card={card} />
        <CardTags card={card} />
        <Stats card={card} />
      </div>
    </article>
  )
}

/** For members only, once the session is known. */
function FavoriteSlot({ card }: { card: Card }) {
  if (!useUser()) return null
  return (
    <Suspense>
      <CardFavorite card={card} />
    </Suspense>
  )
}

function Title({ card }: { card: Card }) {
  const preload = usePreload()
  const state = fromList(useLocation())
  const path = `/scripts/${encodeURIComponent(card.slug)}`
  return (
    <h3 dir="auto" className="line-clamp-2 text-base leading-snug font-semibold wrap-anywhere group-hover:text-accent">
      <Link
        to={path}
        state={state}
        onPointerEnter={() => preload(path)}
        onFocus={() => preload(path)}
        className="outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        {card.title}
      </Link>
    </h3>
  )
}

/** More would hide the cover. */
const MAX_BADGES = 2
const badgeClass =
  'inline-flex h-6 items-center gap-1 rounded-sm bg-surface-2 px-1.5 text-xs font-medium sm:bg-surface-0/85'

/** The first badges of the list and honors: over the cover, or in a line of their own on phones. The script page shows all honors. */
function Badges({ badges }: { badges: readonly Badge[] }) {
  if (badges.length === 0) return null
  const hidden = badges.slice(MAX_BADGES).map(({ label }) => label)
  return (
    <ul
      aria-label="Badges"
      className="flex flex-wrap gap-1 max-sm:order-1 max-sm:col-span-2 sm:absolute sm:inset-x-2 sm:top-2 rows:right-auto rows:max-w-36"
    >
      {badges.slice(0, MAX_BADGES).map(({ label, icon: Icon }) => (
        <li key={label} className={badgeClass}>
          <Icon aria-hidden className="size-3.5" />
          {label}
        </li>
      ))}
      {hidden.length > 0 && (
        <li title={hidden.join(', ')} className={badgeClass}>
          <span aria-hidden>+{hidden.length}</span>
          <span className="sr-only">{hidden.join(', ')}</span>
        </li>
      )}
    </ul>
  )
}

function Warnings({ card }: { card: Card }) {
  const warnings = warningsOf(card)
  if (warnings.length === 0 && !card.warning) return null
  return (
    <ul aria-label="Warnings" className="flex flex-wrap gap-1 max-sm:col-span-2">
      {card.warning && (
        <li className="flex min-w-0">
          <CheckChip warning={card.warning} />
        </li>
      )}
      {warnings.map((label) => (
        <li key={label} className="rounded-sm border border-warning px-1.5 text-xs leading-5 font-medium text-warning">
          {label}
        </li>
      ))}
    </ul>
  )
}

/** The space for properties and tags, in characters, and the space that each tag's padding takes. */
const TAG_LINE = 38
const TAG_PADDING = 4
/** Longer names of games are cut. */
const MAX_GAME_TEXT = 20

/** The tags that fit on one line after a text of this length, at least one, and how many are hidden. */
export function fitTags<T extends { name: string }>(
  tags: readonly T[],
  textLength: number,
): { shown: T[]; hidden: number } {
  let room = TAG_LINE - textLength
  let count = 0
  for (const { name } of tags) {
    room -= name.length + TAG_PADDING
    if (room < 0 && count > 0) break
    count++
  }
  return { shown: tags.slice(0, count), hidden: tags.length - count }
}

const gameOf = ({ game_id, game_name }: Card) =>
  game_id === null ? 'Game-specific' : gameTitle({ game_id, name: game_name })

/** Where the script runs, and its tags, on one line. */
function CardTags({ card }: { card: Card }) {
  const execution = card.is_client_side ? 'Client-side' : 'FE'
  const game = card.is_universal ? '' : gameOf(card)
  const { shown, hidden } = fitTags(card.tags, execution.length + Math.min(game.length, MAX_GAME_TEXT))
  return (
    <div className="mt-auto flex h-6 min-w-0 items-center gap-1.5 text-xs max-sm:order-1 max-sm:col-span-2 rows:col-start-2 rows:row-start-1 rows:mt-0">
      <span className="flex min-w-0 shrink-0 gap-1 text-muted">
        {execution}
        {game && <span aria-hidden>·</span>}
        {game && card.game_id !== null ? (
          <Link
            to={gamePath(card.game_id)}
            className="relative max-w-[20ch] truncate before:absolute before:inset-x-0 before:-inset-y-2.5 hover:text-accent hover:underline"
          >
            <bdi>{game}</bdi>
          </Link>
        ) : (
          game
        )}
      </span>
      <ul aria-label="Tags" className="flex min-w-0 gap-1.5 empty:hidden">
        {shown.map((tag) => (
          <li key={tag.id} className="flex min-w-0">
            <TagChip
              name={tag.name}
              className="relative min-h-6 before:absolute before:inset-x-0 before:-inset-y-2.5"
            />
          </li>
        ))}
        {hidden > 0 && (
          <li className="flex shrink-0 items-center text-muted">
            +{hidden}
            <span className="sr-only"> more tags</span>
          </li>
        )}
      </ul>
    </div>
  )
}

function Stats({ card }: { card: Card }) {
  return (
    <ul
      aria-label="Stats"
      className="flex items-center gap-3 text-xs whitespace-nowrap text-muted tabular-nums max-sm:order-1 max-sm:col-span-2 rows:col-start-2 rows:row-start-2"
    >
      <li className="flex items-center gap-1" title={`${fullCount(card.view_count)} views`}>
        <Eye aria-hidden className="size-4" />
        {compactCount(card.view_count)}
        <span className="sr-only"> views</span>
      </li>
      <li className="flex items-center gap-1">
        <RatingStat average={card.rating_average} count={card.rating_count} />
        {card.rating_count > 0 && <span aria-hidden>({compactCount(card.rating_count)})</span>}
      </li>
      <li className="flex items-center gap-1" title={`${fullCount(card.download_count)} downloads`}>
        <Download aria-hidden className="size-4" />
        {compactCount(card.download_count)}
        <span className="sr-only"> downloads</span>
      </li>
    </ul>
  )
}

function Added({ card, className }: { card: Card; className: string }) {
  return (
    <p className={`shrink-0 text-xs whitespace-nowrap text-muted ${className}`}>
      Added <RelativeTime iso={card.created_at} />
    </p>
  )
}

/** `hasDate`: whether phones show the date here. Beside a button in the corner there is room for the name only. */
function Author({ card, hasDate }: { card: Card; hasDate: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <MemberAvatar member={card} name={card.author_name} size="small" />
      <Link
        to={`/profile/${encodeURIComponent(card.author_slug)}`}
        className="relative block truncate rounded-sm text-sm text-muted before:absolute before:-inset-y-3 before:inset-x-0 hover:text-accent hover:underline"
      >
        <bdi>{card.author_name}</bdi>
      </Link>
      {card.is_verified && (
        <span title={VERIFIED.label} className="-ml-1 shrink-0 text-accent">
          <VERIFIED.icon aria-hidden className="size-4" />
          <span className="sr-only">{VERIFIED.label}</span>
        </span>
      )}
      {/* Not beside the stats, which can take the whole width. */}
      <Added card={card} className={`ml-auto ${hasDate ? '' : 'max-sm:hidden'}`} />
    </div>
  )
}
