import Download from 'lucide-react/icons/download'
import { type ReactNode, useId } from 'react'
import { Link } from '#web/router/router.tsx'
import type { RelatedScript, RelatedScripts as Related } from '#contract/catalogue.ts'
import { CheckChip } from '#web/shared/cards/check-chip.tsx'
import { RatingStat } from '#web/shared/cards/rating-stat.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import type { PageScript } from './script-details.ts'

/** Scripts that share rare tags, and more by the author. Nothing if there are none. */
export function RelatedScripts({ script, related }: { script: PageScript; related: Related }) {
  const { similar, by_author, by_author_total } = related
  if (similar.length === 0 && by_author.length === 0) return null
  return (
    <div className="mt-12 grid gap-x-8 gap-y-10 border-t border-line pt-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {similar.length > 0 && (
        <Group title="Similar scripts" className="lg:col-start-1">
          <ul className="grid gap-3 sm:grid-cols-2">
            {similar.map((card) => (
              <Row key={card.id} script={card} detail={<bdi className="truncate">{card.author_name}</bdi>} />
            ))}
          </ul>
        </Group>
      )}
      {by_author.length > 0 && (
        <Group
          title={
            <>
              More by <bdi>{script.author_name}</bdi>
            </>
          }
          className={similar.length > 0 ? 'lg:col-start-2' : 'lg:col-span-2'}
        >
          <ul className={similar.length > 0 ? 'grid gap-3 sm:grid-cols-2 lg:grid-cols-1' : 'grid gap-3 sm:grid-cols-3'}>
            {by_author.map((card) => (
              <Row key={card.id} script={card} />
            ))}
          </ul>
          {by_author_total > by_author.length && (
            <Link
              to={`/profile/${encodeURIComponent(script.author_slug)}?tab=scripts`}
              className="-mx-2 inline-flex min-h-11 items-center self-start rounded-sm px-2 text-sm font-medium text-accent hover:underline sm:min-h-8"
            >
              All {fullCount(by_author_total + 1)} scripts
            </Link>
          )}
        </Group>
      )}
    </div>
  )
}

function Group({ title, className, children }: { title: ReactNode; className: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`flex min-w-0 flex-col gap-4 ${className}`}>
      <h2 id={id} className="text-xl font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** A small cover with title and stats. The whole row is the link. */
function Row({ script, detail }: { script: RelatedScript; detail?: ReactNode }) {
  return (
    <li className="relative flex min-w-0 items-center gap-3 rounded-md border border-line bg-surface-1 p-2 hover:border-line-strong has-focus-visible:border-accent">
      <div className="aspect-video w-24 shrink-0 overflow-hidden rounded-sm bg-surface-2">
        <ScriptCover title={script.title} src={script.image_card} width={640} height={360} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 dir="auto" className="line-clamp-2 text-sm leading-snug font-semibold wrap-anywhere">
          <Link
            to={`/scripts/${encodeURIComponent(script.slug)}`}
            className="outline-none after:absolute after:inset-0 after:rounded-md hover:text-accent focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {script.title}
          </Link>
        </h3>
        <p className="flex min-w-0 items-center gap-3 text-xs text-muted tabular-nums">
          {detail}
          <RatingStat average={script.rating_average} count={script.rating_count} />
          <span className="inline-flex items-center gap-1">
            <Download aria-hidden className="size-4" />
            {compactCount(script.download_count)}
            <span className="sr-only"> downloads</span>
          </span>
        </p>
        {script.warning && (
          <p className="flex min-w-0">
            <CheckChip warning={script.warning} />
          </p>
        )}
      </div>
    </li>
  )
}
