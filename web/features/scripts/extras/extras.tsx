import { OwnRatingPlace } from './own-rating-place.tsx'
import { OwnerPlace } from './owner-place.tsx'
import { ThankAuthor, type ThankAuthorProps } from './thank-author.tsx'
import { VersionsPlace } from './versions-place.tsx'

const parts = { owner: OwnerPlace, versions: VersionsPlace, rating: OwnRatingPlace, reputation: ThankAuthor }
export type ExtraPart = keyof typeof parts

/** What follows once the page has come to life, in one file. */
export function Extras({ part, ...props }: { part: ExtraPart } & ThankAuthorProps) {
  const Part = parts[part]
  return <Part {...props} />
}
