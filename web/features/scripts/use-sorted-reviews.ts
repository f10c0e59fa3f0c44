import { useEffect, useState } from 'react'
import type { RatingSort } from '#contract/ratings.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useToast } from '#web/ui/toast.tsx'
import { type WrittenReview, withText } from './written-reviews.ts'

interface Sorted {
  by: RatingSort
  of: readonly WrittenReview[]
  reviews: readonly WrittenReview[]
}

/** The reviews in the order that the visitor wants. The page brings the newest; the server sorts, as it may know more. */
export function useSortedReviews(id: number, newest: readonly WrittenReview[]) {
  const api = useApi()
  const toast = useToast()
  const [sort, setSort] = useState<RatingSort>('newest')
  const [sorted, setSorted] = useState<Sorted>()
  useEffect(() => {
    if (sort === 'newest') return undefined
    const stop = new AbortController()
    api('GET /api/script-rating', { query: { id, sort }, signal: stop.signal }).then(
      ({ ratings }) => setSorted({ by: sort, of: newest, reviews: withText(ratings) }),
      () => {
        if (stop.signal.aborted) return
        setSort('newest')
        toast({ title: 'The reviews could not be sorted', tone: 'error' })
      },
    )
    return () => stop.abort()
  }, [api, id, newest, sort, toast])
  const isSorted = sort !== 'newest' && sorted?.by === sort && sorted.of === newest
  return { sort, setSort, reviews: isSorted ? sorted.reviews : newest }
}
