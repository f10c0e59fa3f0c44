import { useId, useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useRevalidator } from '#web/router/router.tsx'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { readSuccessor } from './version-state.ts'

interface Props {
  scriptId: number
  version: ScriptVersion
  /** Whether a moderator withdraws somebody else's version. */
  isStaff: boolean
  onWithdrawn: () => void
  onClose: () => void
}

/** Takes the code of a version back for everyone. Its date and reason stay in the history. */
export function WithdrawDialog({ scriptId, version, isStaff, onWithdrawn, onClose }: Props) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const id = useId()
  const [reason, setReason] = useState('')
  const [successor, setSuccessor] = useState('')
  const [isMalicious, setMalicious] = useState(false)
  const withdraw = async () => {
    const slug = readSuccessor(successor)
    const body = {
      script_id: scriptId,
      number: version.number,
      reason: reason.trim(),
      ...(slug && { successor_slug: slug }),
      ...(isMalicious && { is_malicious: true }),
    }
    await run(() => api('POST /api/version-withdraw', { body }), {
      success: ({ message }) => message,
      failure: "Couldn't withdraw the version",
    })
    onWithdrawn()
    void revalidate()
  }
  return (
    <FormDialog
      title="Withdraw this version?"
      submitLabel="Withdraw"
      busyLabel="Withdrawing..."
      tone="danger"
      canSubmit={reason.trim() !== ''}
      onSubmit={withdraw}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">
            Nobody gets the code of version <bdi className="font-semibold text-text">{version.version}</bdi> any more,
            also not by its address. {version.is_current && 'The version before it takes its place. '}
            We notify people who saved the script. This can't be undone.
          </p>
          <ReasonField
            value={reason}
            help="Everyone reads it in the history."
            error={errors['reason']}
            onChange={setReason}
          />
          <Field
            name="successor_slug"
            label="Replaced by"
            help="The address of another script that people should use instead (optional)."
            error={errors['successor_slug']}
          >
            {(aria) => <TextInput {...aria} value={successor} onChange={setSuccessor} />}
          </Field>
          {isStaff && (
            <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-8">
              <Checkbox id={id} checked={isMalicious} onChange={(event) => setMalicious(event.target.checked)} />
              It harms those who run it
            </label>
          )}
        </>
      )}
    </FormDialog>
  )
}
