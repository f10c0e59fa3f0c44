import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Review } from '#contract/ratings.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { GivenRating } from './rating-form.tsx'

/** The member's own rating of a script, undefined until it is known, and what they can do about it. */
export function useOwnRating(id: number) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [own, setOwn] = useState<Review | null>()

  useEffect(() => {
    const stop = new AbortController()
    api('GET /api/script-rating', { query: { id }, signal: stop.signal }).then(
      ({ own_rating }) => setOwn(own_rating),
      (error: unknown) => {
        if (stop.signal.aborted) return
        console.warn('Your rating could not be loaded.', error)
        // Rating anew does the same as changing what is there.
        setOwn(null)
      },
    )
    return () => stop.abort()
  }, [api, id])

  const fail = (title: string, error: unknown) => {
    console.warn(title, error)
    toast({ title, text: describeError(error), tone: 'error' })
  }
  /** Answers with whether it was taken, and if not what is wrong with the words. */
  const rate = async ({ rating, review }: GivenRating): Promise<{ isTaken: boolean; refusal?: string | undefined }> => {
    try {
      const taken = await api('POST /api/script-rating', { query: { id }, body: { rating, review: review || null } })
      setOwn(taken.rating)
      toast({ title: 'Your rating is saved', tone: 'success' })
      void revalidate()
      return { isTaken: true }
    } catch (error) {
      fail('Failed to submit rating', error)
      return { isTaken: false, refusal: error instanceof ApiError ? error.fields['review'] : undefined }
    }
  }
  /** Throws when it is still there. */
  const remove = async () => {
    try {
      await api('DELETE /api/script-rating', { query: { id } })
    } catch (error) {
      fail('Failed to remove rating', error)
      throw error
    }
    setOwn(null)
    toast({ title: 'Your rating is removed', tone: 'success' })
    void revalidate()
  }
  return { own, rate, remove }
}
