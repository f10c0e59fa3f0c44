import Bell from 'lucide-react/icons/bell'
import BellRing from 'lucide-react/icons/bell-ring'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import { Suspense, useState } from 'react'
import { useMemberAction } from '#web/shared/sign-in/use-member-action.ts'
import { useToggle } from '#web/shared/sign-in/use-toggle.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import type { PageScript } from './script-details.ts'
import { ShareMenu } from './share-menu.tsx'

const CollectDialog = lazyComponent(async () => (await import('./collect-dialog.tsx')).CollectDialog)

const narrow = 'max-sm:px-3'

export function SaveButtons({ script }: { script: PageScript }) {
  const isOwn = useUser()?.id === script.author_id
  return (
    <>
      <FavoriteButton script={script} />
      {!isOwn && script.is_public && <WatchButton script={script} />}
      {script.is_public && <ShareMenu script={script} />}
      <CollectButton script={script} />
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
      className={narrow}
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

function WatchButton({ script: { id } }: { script: PageScript }) {
  const { isOn, press } = useToggle({
    name: `watch ${id}`,
    count: 0,
    load: async (api, signal) => ({
      isOn: (await api('GET /api/watches', { query: { script_id: id }, signal })).is_watching,
      count: 0,
    }),
    set: async (api, isWatching) => {
      const { is_watching } = await (isWatching
        ? api('POST /api/watches', { body: { script_id: id } })
        : api('DELETE /api/watches', { query: { script_id: id } }))
      return { isOn: is_watching, count: 0 }
    },
    failure: "Couldn't change what you watch",
  })
  const Icon = isOn ? BellRing : Bell
  return (
    <Button
      className={narrow}
      title={isOn ? 'Stop notifying me of new versions' : 'Notify me of new versions'}
      onClick={press}
    >
      <Icon aria-hidden className={`size-4 ${isOn ? 'text-accent' : ''}`} />
      {isOn ? 'Watching' : 'Watch'}
    </Button>
  )
}

/** Opens the viewer's collections, to add the script to some. */
function CollectButton({ script }: { script: PageScript }) {
  const [isOpen, setOpen] = useState(false)
  const open = useMemberAction(`collect ${script.id}`, () => setOpen(true))
  return (
    <>
      <Button className={narrow} title="Add to a collection" aria-haspopup="dialog" onClick={open}>
        <FolderPlus aria-hidden className="size-4" />
        {/* All buttons fit in one line on a phone. */}
        <span className="max-sm:sr-only">Collect</span>
      </Button>
      {isOpen && (
        <Suspense>
          <CollectDialog script={script} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
