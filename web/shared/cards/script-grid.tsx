import type { Card } from '#contract/catalogue.ts'
import type { Badge } from './script-badges.ts'
import { ScriptCard } from './script-card.tsx'

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-3 sm:gap-4 rows:grid-cols-1 rows:gap-2'

interface Props {
  cards: readonly Card[]
  /** Dims the cards while another page of the list is loading. */
  isPending?: boolean
  badges?: (card: Card) => Badge[]
}

/** Cards in one to four columns, depending on the width. */
export function ScriptGrid({ cards, isPending = false, badges }: Props) {
  return (
    <ul
      aria-busy={isPending}
      className={`${gridClass} motion-safe:transition-opacity motion-safe:duration-150 ${isPending ? 'opacity-50 motion-safe:delay-150' : ''}`}
    >
      {cards.map((card, index) => (
        <li key={card.id} className="min-w-0">
          <ScriptCard card={card} index={index} badges={badges?.(card)} />
        </li>
      ))}
    </ul>
  )
}
