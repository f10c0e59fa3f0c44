import Trophy from 'lucide-react/icons/trophy'
import { Link } from 'react-router'
import type { Giveaway } from '#contract/giveaways.ts'

/** Who won; the names of those who allow it. */
export function Winners({ giveaway: { id, winners, title } }: { giveaway: Giveaway }) {
  if (winners.length === 0) return <p className="text-muted">The winners have not been drawn yet.</p>
  return (
    <div className="flex flex-col gap-2">
      <h4 className="flex items-center gap-2 font-medium">
        <Trophy aria-hidden className="size-4 text-star" />
        {winners.length === 1 ? 'Winner' : 'Winners'}
      </h4>
      <ul className="flex flex-wrap gap-1.5">
        {winners.map(({ entry_id, name, slug }) => (
          <li key={entry_id} className="max-w-full">
            {slug ? (
              <Link
                to={`/profile/${slug}`}
                className="inline-flex min-h-11 max-w-full items-center rounded-sm bg-surface-2 px-2 hover:bg-surface-3 sm:min-h-7"
              >
                <bdi className="truncate">{name}</bdi>
              </Link>
            ) : (
              <span className="inline-flex min-h-11 items-center rounded-sm bg-surface-2 px-2 text-muted sm:min-h-7">
                {name}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Link to={`/giveaways/${id}/draw`} className="w-fit py-1 text-accent underline underline-offset-2">
        Check this draw<span className="sr-only"> of {title}</span>
      </Link>
    </div>
  )
}
