import { Link, useLocation } from '#web/router/router.tsx'
import type { Card } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import type { Api } from '#web/lib/client.ts'
import { fromList } from '#web/lib/list-return.ts'

/** In each list. Two lists of two fit in one row above the results. */
const SHOWN = 2

export interface HighlightLists {
  rising: Card[]
  updated: Card[]
}

/** Null if the catalogue is too small: its first page shows all of it. */
export async function loadHighlights(api: Api, signal: AbortSignal): Promise<HighlightLists | null> {
  const load = (sort: 'trending' | 'updated_at', limit: number) =>
    api('GET /api/scripts', { query: { sort, limit }, signal })
  const [rising, updated] = await Promise.all([load('trending', SHOWN), load('updated_at', 2 * SHOWN)])
  if (rising.pagination.total <= PAGE_SIZE) return null
  const ids = new Set(rising.scripts.map(({ id }) => id))
  return { rising: rising.scripts, updated: updated.scripts.filter(({ id }) => !ids.has(id)).slice(0, SHOWN) }
}

/** One row above the full list: what is popular right now, and what changed last. */
export function Highlights({ rising, updated }: HighlightLists) {
  return (
    <div className="grid gap-x-4 gap-y-2 max-lg:-mx-4 max-lg:flex max-lg:overflow-x-auto max-lg:px-4 lg:grid-cols-2">
      <Group id="rising" label="Rising" cards={rising} />
      <Group id="recently-updated" label="Recently updated" cards={updated} isDated />
    </div>
  )
}

interface GroupProps {
  id: string
  label: string
  cards: readonly Card[]
  isDated?: boolean
}

function Group({ id, label, cards, isDated = false }: GroupProps) {
  const state = fromList(useLocation())
  return (
    <section aria-labelledby={id} className="min-w-0 max-lg:shrink-0">
      <h2 id={id} className="text-sm font-semibold text-muted">
        {label}
      </h2>
      <ul className="mt-1 flex gap-2 lg:grid lg:grid-cols-2">
        {cards.map((card) => (
          <li key={card.id} className="min-w-0 max-lg:w-64">
            <Link
              to={`/scripts/${encodeURIComponent(card.slug)}`}
              state={state}
              className="flex min-w-0 items-center gap-3 rounded-md border border-line bg-surface-1 p-2 hover:border-line-strong"
            >
              <span className="aspect-video w-16 shrink-0 overflow-hidden rounded-sm bg-surface-2">
                <ScriptCover title={card.title} src={card.image_card} width={640} height={360} />
              </span>
              <span className="min-w-0">
                <bdi className="block truncate font-medium">{card.title}</bdi>
                <span className="block truncate text-sm text-muted">
                  {isDated ? <RelativeTime iso={card.updated_at} /> : <bdi>{card.author_name}</bdi>}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
