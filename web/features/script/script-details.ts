import type { RelatedScripts as Related } from '#contract/catalogue.ts'
import type { CommentPage } from '#contract/comments.ts'
import type { Problem } from '#contract/operation.ts'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import type { Script } from '#contract/scripts.ts'
import type { Works } from '#contract/works.ts'
import type { BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import type { Formatted } from '#web/shared/markdown/render-markdown.ts'
import type { RichNode } from '#web/shared/markdown/rich-text.tsx'
import type { Preview } from './code-preview.ts'

export type PageScript = Omit<Script, 'script_content' | 'description' | 'changelog_markdown'>

/** Whether the script is not public because its only version was withdrawn. */
export const isWithdrawn = ({ is_public, is_public_setting, is_hidden, waiting }: PageScript): boolean =>
  !is_public && is_public_setting && !is_hidden && waiting === null

/** A rating with text, formatted. */
export interface WrittenReview extends Omit<Review, 'review' | 'reply'> {
  review: RichNode[]
  reply: RichNode[] | null
}

export interface Ratings {
  summary: RatingSummary
  reviews: WrittenReview[]
}

/** What the page shows: the script, that it was withdrawn, or that it does not exist. */
export type FoundScript = ScriptDetails | { withdrawn: NonNullable<Problem['withdrawn']> } | null

export interface ScriptDetails {
  script: PageScript
  description: Formatted
  /** What changed in the current version. */
  notes: RichNode[] | null
  preview: Preview
  /** Null when the ratings could not be loaded; the script is shown without them. */
  ratings: Ratings | null
  related: Related | null
  works: Works | null
  /** Null when the comments could not be loaded. */
  comments: CommentPage | null
  /** Null when the behavior card could not be loaded. */
  behavior: BehaviorView | null
}

/** The ratings that have text, in the same order. Loads the parser, which is not in the first load. */
export async function formatReviews(ratings: readonly Review[]): Promise<WrittenReview[]> {
  const { parseShortText } = await import('@scriptyard/markdown/short-text')
  return ratings.flatMap(({ review, reply, ...rating }) => {
    const text = review?.trim()
    return text ? [{ ...rating, review: parseShortText(text), reply: reply ? parseShortText(reply) : null }] : []
  })
}
