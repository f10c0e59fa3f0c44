import Heart from 'lucide-react/icons/heart'
import type { Card } from '#contract/catalogue.ts'
import type { Api } from '#web/lib/client.ts'
import { useToggle } from '#web/shared/sign-in/use-toggle.ts'

/** Adds the script of a card to the member's favorites. Does not change the layout of the cover that it is on. */
export function CardFavorite({ card: { id, title, favorite_count } }: { card: Card }) {
  const { isOn, press } = useToggle({
    name: `favorite ${id}`,
    count: favorite_count,
    load: async (api) => ({ isOn: (await loadFavorites(api, id)).has(id), count: favorite_count }),
    set: async (api, isFavorite) => {
      const status = await (isFavorite
        ? api('POST /api/favorites', { body: { script_id: id } })
        : api('DELETE /api/favorites', { query: { script_id: id } }))
      return { isOn: status.is_favorite, count: status.favorite_count }
    },
    failure: "Couldn't update your favorites",
  })
  return (
    <button
      type="button"
      aria-label={`Favorite ${title}`}
      aria-pressed={isOn}
      title={isOn ? 'Remove from your favorites' : 'Add to your favorites'}
      onClick={press}
      className="group/heart absolute right-0 bottom-0 z-10 grid size-11 place-items-center rounded-sm focus-visible:-outline-offset-2"
    >
      <span className="grid size-7 place-items-center rounded-full bg-surface-0/85 text-muted group-hover/heart:text-text sm:size-8">
        <Heart aria-hidden className={`size-4 ${isOn ? 'fill-current text-danger' : ''}`} />
      </span>
    </button>
  )
}

/** Time in which cards that appear together join one request. */
const BATCH_MS = 50
/** The API's limit of ids. */
const MAX_IDS = 100

interface Batch {
  ids: Set<number>
  favorites: Promise<Set<number>>
}

let batch: Batch | undefined

/** Which scripts of the card's batch are favorites. */
function loadFavorites(api: Api, id: number): Promise<Set<number>> {
  if (!batch || batch.ids.size >= MAX_IDS) {
    const ids = new Set<number>()
    const created: Batch = {
      ids,
      favorites: new Promise((resolve) => setTimeout(resolve, BATCH_MS)).then(async () => {
        if (batch === created) batch = undefined
        const { favorites } = await api('GET /api/favorite-scripts', { query: { ids: [...ids].join(',') } })
        return new Set(favorites)
      }),
    }
    batch = created
  }
  batch.ids.add(id)
  return batch.favorites
}
