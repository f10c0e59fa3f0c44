import { MemberPart } from '#web/components/member-part.tsx'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

const OwnRating = lazyPart(async () => (await import('#web/features/scripts/own-rating.tsx')).OwnRating)

/** Where members rate the script. */
export function OwnRatingSlot({ script }: { script: ScriptDetails['script'] }) {
  return (
    <MemberPart waiting="Rate this script" invitation="Sign in to rate" className="self-start">
      {(user) => <OwnRating key={user.id} script={script} user={user} />}
    </MemberPart>
  )
}
