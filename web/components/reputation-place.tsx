import { lazyPart } from '#web/lib/lazy-part.ts'
import { MemberPart } from './member-part.tsx'
import type { ReputationTarget } from './use-reputation.ts'

const GiveReputation = lazyPart(async () => (await import('./give-reputation.tsx')).GiveReputation)

/** Where members give another a point; nobody can to themself. */
export function ReputationPlace(target: ReputationTarget) {
  return (
    <div className="flex min-h-11 flex-col justify-center sm:min-h-10">
      <MemberPart waiting="Give reputation" invitation="Sign in to give reputation">
        {({ id }) =>
          id === target.memberId ? (
            <p className="text-center text-sm text-muted">Others can give you reputation here.</p>
          ) : (
            <GiveReputation key={`${id} ${target.memberId}`} {...target} />
          )
        }
      </MemberPart>
    </div>
  )
}
