import Heart from 'lucide-react/icons/heart'
import { useToggle } from '#web/shared/sign-in/use-toggle.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { MoreMenu } from './more-menu.tsx'
import type { PageScript } from './script-details.ts'

export function SaveButtons({ script }: { script: PageScript }) {
  return (
    <>
      <FavoriteButton script={script} />
      <MoreMenu script={script} />
    </>
  )
}

interface FavoriteStatus {
  is_favorite: boolean
  favorite_count: number
}

const toState = ({ is_favorite, favorite_count }: FavoriteStatus) => ({ isOn: is_favorite, count: favorite_count })

/** Adds the script to the viewer's favorites and shows how many members have it there. */
function FavoriteButton({ script: { id, favorite_count } }: { script: PageScript }) {
  const { isOn, count, press } = useToggle({
    name: `favorite ${id}`,
    count: favorite_count,
    load: async (api, signal) => toState(await api('GET /api/script-favorite', { query: { id }, signal })),
    set: async (api, isFavorite) =>
      toState(
        await (isFavorite
          ? api('POST /api/favorites', { body: { script_id: id } })
          : api('DELETE /api/favorites', { query: { script_id: id } })),
      ),
    failure: "Couldn't update your favorites",
  })
  return (
    <Button
      className="max-sm:px-3"
      title={`${isOn ? 'Remove from your favorites' : 'Add to your favorites'} (F)`}
      aria-keyshortcuts="F"
      onClick={press}
    >
      <Heart aria-hidden className={`size-4 ${isOn ? 'fill-current text-danger' : ''}`} />
      {isOn ? 'Favorited' : 'Favorite'}
      <span className="font-normal text-muted tabular-nums" title={`${fullCount(count)} members`}>
        {compactCount(count)}
        <span className="sr-only">{count === 1 ? ' member' : ' members'}</span>
      </span>
    </Button>
  )
}
