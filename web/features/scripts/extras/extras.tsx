import { OwnRatingSlot } from './own-rating-place.tsx'
import { OwnerSlot } from './owner-place.tsx'
import { GiveReputationSlot, type ExtraProps } from './thank-author.tsx'
import { VersionsSlot } from './versions-place.tsx'

const parts = { owner: OwnerSlot, versions: VersionsSlot, rating: OwnRatingSlot, reputation: GiveReputationSlot }
export type ExtraPart = keyof typeof parts

/** What follows once the page has come to life, in one file. */
export function Extras({ part, ...props }: { part: ExtraPart } & ExtraProps) {
  const Part = parts[part]
  return <Part {...props} />
}
