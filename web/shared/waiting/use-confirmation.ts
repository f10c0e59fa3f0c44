import { useEffect, useEffectEvent, useState } from 'react'
import type { WaitingVersion } from '#contract/versions.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { takePendingAction } from '#web/lib/pending-action.ts'
import { needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useToast } from '#web/ui/toast.tsx'

/**
 * Confirms a held version. It needs a sign-in of the last ten minutes: without one, `interrupted` is the action that
 * continues when the author returns from it.
 */
export function useConfirmation(
  scriptId: number,
  { number }: Pick<WaitingVersion, 'number'>,
  reload: () => Promise<unknown>,
) {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const [interrupted, setInterrupted] = useState<string>()
  const action = `confirm-version ${scriptId} ${number}`

  /** After a sign-in it does not ask for another one: the author may have canceled it. */
  const confirm = async ({ isRetry = false } = {}) => {
    if (isBusy) return
    setBusy(true)
    try {
      const { message } = await api('POST /api/version-confirm', { body: { script_id: scriptId, number } })
      toast({ title: message, tone: 'success' })
      await reload()
    } catch (error) {
      if (needsSignIn(error)) {
        if (!isRetry) setInterrupted(action)
        return
      }
      toast({ title: "Couldn't confirm the version", text: describeActionError(error), tone: 'error' })
      await reload()
    } finally {
      setBusy(false)
    }
  }
  const resume = useEffectEvent(() => void confirm({ isRetry: true }))
  useEffect(() => {
    if (takePendingAction(action)) void Promise.resolve().then(() => resume())
  }, [action])
  return { confirm, isBusy, interrupted, forget: () => setInterrupted(undefined) }
}
