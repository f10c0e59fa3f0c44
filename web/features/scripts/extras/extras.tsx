import type { ScriptDetails } from '../load-script.ts'
import { OwnRatingPlace } from './own-rating-place.tsx'
import { OwnerPlace } from './owner-place.tsx'
import { ThankAuthor } from './thank-author.tsx'
import { VersionsPlace } from './versions-place.tsx'

const parts = { owner: OwnerPlace, versions: VersionsPlace, rating: OwnRatingPlace, reputation: ThankAuthor }
export type ExtraPart = keyof typeof parts

/** What follows once the page has come to life, in one file. */
export function Extras({ part, script }: { part: ExtraPart; script: ScriptDetails['script'] }) {
  const Part = parts[part]
  return <Part script={script} />
}
