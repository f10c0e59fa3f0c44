import { useState } from 'react'
import { needsSignIn, SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useTakePending } from '#web/shared/sign-in/pending-values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { readPendingAction } from '#web/lib/pending-action.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'

/** The pending action that asks again after a sign-in: `accept all versions 5`. */
const PENDING = 'accept all versions'

interface Props {
  scriptId: number
  isOn: boolean
  hasPublishers: boolean
  onChange: (isOn: boolean) => void
}

/** The choice that only trusted builds may publish versions of the script. Turning it off needs a recent sign-in. */
export function OnlyBuilds({ scriptId, isOn, hasPublishers, onChange }: Props) {
  const api = useApi()
  const run = useAction()
  const pending = `${PENDING} ${scriptId}`
  const [isAsking, setAsking] = useState(() => readPendingAction() === pending)
  const [isInterrupted, setInterrupted] = useState(false)
  useTakePending(PENDING)
  const turnOn = () =>
    run(() => api('PUT /api/only-builds', { body: { script_id: scriptId } }), {
      success: 'Only trusted builds may publish now',
      failure: "Couldn't change who may publish",
    }).then(
      () => onChange(true),
      () => undefined,
    )
  const turnOff = async () => {
    try {
      await api('DELETE /api/only-builds', { query: { id: scriptId } })
      onChange(false)
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return setInterrupted(true)
      await run(() => Promise.reject(error as Error), { success: '', failure: "Couldn't change who may publish" })
    }
  }
  return (
    <>
      <Switch
        label="Only trusted builds may publish"
        help={
          isOn && !hasPublishers
            ? 'Nothing can publish a version until you add a publisher or turn this off.'
            : 'Versions from forms, API tokens, pushes and imports are rejected. You can still edit title, description and other details.'
        }
        isOn={isOn}
        disabled={!isOn && !hasPublishers}
        onChange={(next) => void (next ? turnOn() : setAsking(true))}
      />
      {isAsking && (
        <ConfirmDialog
          title="Let everything publish again?"
          text="Forms, API tokens and pushes to a connected repository can then publish versions of this script, too."
          confirmLabel="Turn off"
          onConfirm={turnOff}
          onClose={() => setAsking(false)}
        />
      )}
      {isInterrupted && (
        <SignInAgainDialog
          action={pending}
          purpose="let everything publish again"
          onClose={() => setInterrupted(false)}
        />
      )}
    </>
  )
}
