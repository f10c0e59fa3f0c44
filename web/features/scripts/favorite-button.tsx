import Heart from 'lucide-react/icons/heart'
import { useEffect, useRef, useState } from 'react'
import { useMemberAction } from '#web/components/use-member-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-page.tsx'

/** Adds the script to the viewer's favorites and shows how many members have it there. */
export function FavoriteButton({ script }: { script: PageScript }) {
  const { isFavorite, count, set } = useFavorite(script)
  const press = useMemberAction(`favorite ${script.id}`, () => void set(!isFavorite))
  return (
    <Button
      aria-pressed={isFavorite}
      aria-label={`Favorite, ${count === 1 ? '1 member' : `${fullCount(count)} members`}`}
      title={isFavorite ? 'Remove from your favorites' : 'Add to your favorites'}
      onClick={press}
    >
      <Heart aria-hidden className={`size-4 ${isFavorite ? 'fill-current text-danger' : ''}`} />
      {isFavorite ? 'Favorited' : 'Favorite'}
      <span className="font-normal text-muted tabular-nums">{compactCount(count)}</span>
    </Button>
  )
}

function useFavorite({ id, favorite_count }: PageScript) {
  const api = useApi()
  const toast = useToast()
  const memberId = useSession().user?.id
  const [isFavorite, setFavorite] = useState(false)
  const [count, setCount] = useState(favorite_count)
  // A press while the status is loading decides; the response would undo it on the screen.
  const isPressed = useRef(false)
  useEffect(() => {
    if (memberId === undefined) return undefined
    const request = new AbortController()
    // Without a status the button adds, which changes nothing if the script is a favorite already.
    const show = (status: { is_favorite: boolean; favorite_count: number }) => {
      if (isPressed.current) return
      setFavorite(status.is_favorite)
      setCount(status.favorite_count)
    }
    api('GET /api/script-favorite', { query: { id }, signal: request.signal }).then(show, () => undefined)
    return () => request.abort()
  }, [api, id, memberId])

  const isSending = useRef(false)
  const set = async (next: boolean) => {
    if (isSending.current) return
    isSending.current = true
    isPressed.current = true
    setFavorite(next)
    setCount(Math.max(0, count + (next ? 1 : -1)))
    try {
      const status = await (next
        ? api('POST /api/favorites', { body: { script_id: id } })
        : api('DELETE /api/favorites', { query: { script_id: id } }))
      setFavorite(status.is_favorite)
      setCount(status.favorite_count)
    } catch (error) {
      setFavorite(!next)
      setCount(count)
      toast({ title: "Couldn't update your favorites", text: describeActionError(error), tone: 'error' })
    } finally {
      isSending.current = false
    }
  }
  return { isFavorite, count, set }
}
