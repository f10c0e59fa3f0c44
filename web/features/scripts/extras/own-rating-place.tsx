import { SignInGate } from '#web/components/sign-in-gate.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

const OwnRating = lazyComponent(async () => (await import('#web/features/scripts/own-rating.tsx')).OwnRating)

/** Where members rate the script. */
export function OwnRatingSlot({ script }: { script: ScriptDetails['script'] }) {
  return (
    <SignInGate label="Rate this script" signInLabel="Sign in to rate" className="self-start">
      {(user) => <OwnRating key={user.id} script={script} user={user} />}
    </SignInGate>
  )
}
