import type { LucideIcon } from 'lucide-react'
import Award from 'lucide-react/icons/award'
import Flame from 'lucide-react/icons/flame'
import type { Card } from '#contract/catalogue.ts'

const TOP_RATED_FROM = 4.5
const TRENDING_FROM_VIEWS = 1000

/** What makes a popular script stand out, over its cover. */
export function PopularBadges({ card }: { card: Pick<Card, 'rating_average' | 'view_count'> }) {
  return (
    <div className="absolute top-2 right-2 flex flex-col items-end gap-1">
      {card.rating_average >= TOP_RATED_FROM && <Badge icon={Award}>Top Rated</Badge>}
      {card.view_count >= TRENDING_FROM_VIEWS && <Badge icon={Flame}>Trending</Badge>}
    </div>
  )
}

function Badge({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <span className="inline-flex items-center gap-1 rounded-sm bg-accent-strong px-2 py-0.5 text-xs font-medium text-on-accent">
      <Icon aria-hidden className="size-3.5" />
      {children}
    </span>
  )
}
