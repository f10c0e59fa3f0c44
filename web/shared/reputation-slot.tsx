import { lazyComponent } from '#web/lib/lazy-component.ts'
import { SignInGate } from '#web/shared/sign-in/sign-in-gate.tsx'
import type { ReputationTarget } from './give-reputation.tsx'

const GiveReputation = lazyComponent(async () => (await import('./give-reputation.tsx')).GiveReputation)

/** Button for giving another member reputation. */
export function ReputationSlot(target: ReputationTarget) {
  return (
    <div className="flex min-h-11 flex-col justify-center sm:min-h-10">
      <SignInGate label="Give reputation" signInLabel="Sign in to give reputation">
        {({ id }) =>
          id === target.memberId ? (
            <p className="text-sm text-muted">Other members can give you reputation here.</p>
          ) : (
            <GiveReputation key={`${id} ${target.memberId}`} {...target} />
          )
        }
      </SignInGate>
    </div>
  )
}
