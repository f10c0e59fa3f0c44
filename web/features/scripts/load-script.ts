import { data, type LoaderFunctionArgs, replace } from 'react-router'
import type { Script } from '#contract/scripts.ts'
import type { RatingSummary } from '#contract/ratings.ts'
import { readScriptId } from '#contract/slug.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { makePreview, type Preview } from './preview.ts'
import { type WrittenReview, withText } from './written-reviews.ts'

/** The API's own limit for the parameter; what is longer names nothing. */
const MAX_SLUG_LENGTH = 400

export interface Ratings {
  summary: RatingSummary
  reviews: WrittenReview[]
}

export interface ScriptDetails {
  script: Omit<Script, 'script_content'>
  preview: Preview
  /** Null when they could not be loaded: the script is shown all the same. */
  ratings: Ratings | null
}

/** A script with its ratings, null for an address that names none; other addresses of it lead to its canonical one. */
export async function loadScript({ context, params, request }: LoaderFunctionArgs) {
  const slug = params['slug'] ?? ''
  const id = slug.length > MAX_SLUG_LENGTH ? null : readScriptId(slug)
  if (id === null) return missing()
  const api = context.get(apiContext)
  const { signal } = request
  const [found, ratings] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug }, signal }).catch(noneWhenMissing),
    api('GET /api/script-rating', { query: { id }, signal }).catch(() => null),
  ])
  if (!found) return missing()
  const { script_content, ...script } = found.script
  if (script.slug !== slug) return replace(`/scripts/${encodeURIComponent(script.slug)}`)
  const details: ScriptDetails = {
    script,
    preview: await preparePreview(script_content),
    ratings: ratings && { summary: ratings.summary, reviews: withText(ratings.ratings) },
  }
  return data<ScriptDetails | null>(details)
}

function missing() {
  return data<ScriptDetails | null>(null, { status: 404 })
}

function noneWhenMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

// The server sends coloured lines. In the browser the grammar is a chunk of its own, and the page does not wait for it.
async function preparePreview(code: string): Promise<Preview> {
  const preview = makePreview(code)
  if (!import.meta.env.SSR) return preview
  const { highlightLuau } = await import('./highlight-luau.ts')
  return highlightLuau(preview)
}
