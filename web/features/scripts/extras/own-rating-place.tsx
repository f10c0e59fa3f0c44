import { MemberPart } from '../../../components/member-part.tsx'
import { lazyPart } from '../../../lib/lazy-part.ts'
import type { ScriptDetails } from '../load-script.ts'

const OwnRating = lazyPart(async () => (await import('../own-rating.tsx')).OwnRating)

/** Where members rate the script. */
export function OwnRatingPlace({ script }: { script: ScriptDetails['script'] }) {
  return (
    <MemberPart waiting="Rate this script" invitation="Sign in to rate" className="self-start">
      {(user) => <OwnRating key={user.id} script={script} user={user} />}
    </MemberPart>
  )
}
