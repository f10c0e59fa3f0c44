import Library from 'lucide-react/icons/library'
import Lock from 'lucide-react/icons/lock'
import { Link } from '#web/router/router.tsx'
import type { CollectionSummary } from '#contract/collections.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { fullCount } from '#web/lib/numbers.ts'

export const describeItems = (count: number): string => (count === 1 ? '1 script' : `${fullCount(count)} scripts`)

export const collectionUrl = (slug: string, page = 1): string =>
  `/collections/${encodeURIComponent(slug)}${page > 1 ? `?page=${page}` : ''}`

export function CollectionList({ collections }: { collections: readonly CollectionSummary[] }) {
  return (
    <ul aria-label="Collections" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-4">
      {collections.map(({ id, slug, name, description, is_public, item_count, updated_at }) => (
        <li
          key={id}
          className="relative flex min-w-0 flex-col gap-2 rounded-md border border-line bg-surface-1 p-4 focus-within:border-accent hover:border-line-strong"
        >
          <h3 dir="auto" className="flex items-start gap-2 font-semibold wrap-anywhere">
            <Library aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <Link to={collectionUrl(slug)} className="min-w-0 after:absolute after:inset-0 hover:text-accent">
              <bdi>{name}</bdi>
            </Link>
            {!is_public && (
              <span className="ml-auto inline-flex items-center gap-1 text-xs font-medium text-muted">
                <Lock aria-hidden className="size-3.5" />
                Private
              </span>
            )}
          </h3>
          {description && (
            <p dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
              {description}
            </p>
          )}
          <p className="mt-auto text-sm text-muted tabular-nums">
            {describeItems(item_count)}, changed <RelativeTime iso={updated_at} />
          </p>
        </li>
      ))}
    </ul>
  )
}
