import { lazyComponent } from '#web/lib/lazy-component.ts'
import { SignInGate } from './sign-in-gate.tsx'
import type { ReputationTarget } from './use-reputation.ts'

const GiveReputation = lazyComponent(async () => (await import('./give-reputation.tsx')).GiveReputation)

/** Where members give another a point; nobody can to themself. */
export function ReputationSlot(target: ReputationTarget) {
  return (
    <div className="flex min-h-11 flex-col justify-center sm:min-h-10">
      <SignInGate label="Give reputation" signInLabel="Sign in to give reputation">
        {({ id }) =>
          id === target.memberId ? (
            <p className="text-center text-sm text-muted">Others can give you reputation here.</p>
          ) : (
            <GiveReputation key={`${id} ${target.memberId}`} {...target} />
          )
        }
      </SignInGate>
    </div>
  )
}
