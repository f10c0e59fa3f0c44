import { lazyComponent } from '#web/lib/lazy-component.ts'
import { SignInGate } from './sign-in-gate.tsx'
import type { ReputationTarget } from './give-reputation.tsx'

const GiveReputation = lazyComponent(async () => (await import('./give-reputation.tsx')).GiveReputation)

/** Button for giving another member reputation. Members see nothing on their own profile. */
export function ReputationSlot(target: ReputationTarget) {
  return (
    <div className="flex min-h-11 flex-col justify-center sm:min-h-10">
      <SignInGate label="Give reputation" signInLabel="Sign in to give reputation">
        {({ id }) => id !== target.memberId && <GiveReputation key={`${id} ${target.memberId}`} {...target} />}
      </SignInGate>
    </div>
  )
}
