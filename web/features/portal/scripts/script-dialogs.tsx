import { useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import type { AdminScript } from '#contract/admin.ts'
import type { BodyOf } from '#contract/operations.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { FailureList } from '#web/features/portal/failure-list.tsx'
import { useAdminAction } from '#web/features/portal/portal-data.ts'

export type ScriptAction = 'feature' | 'unfeature' | 'verify' | 'unverify' | 'delete'

export const ACTION_LABELS: Record<ScriptAction, string> = {
  feature: 'Feature',
  unfeature: 'Remove from featured',
  verify: 'Verify',
  unverify: 'Remove verification',
  delete: 'Delete',
}

/** The actions that change a script, in the order of the menu. */
export function actionsFor(script: AdminScript): ScriptAction[] {
  return [script.is_featured ? 'unfeature' : 'feature', script.is_verified ? 'unverify' : 'verify', 'delete']
}

/** The request contains the new value instead of toggling it: if two admins act at the same time, the second gets an error. */
function bodyOf(action: ScriptAction, script_id: number): BodyOf<'POST /api/admin-keys'> {
  switch (action) {
    case 'delete':
      return { action: 'script_delete', script_id }
    case 'feature':
    case 'unfeature':
      return { action: 'script_feature', script_id, value: action === 'feature' }
    case 'verify':
    case 'unverify':
      return { action: 'script_verify', script_id, value: action === 'verify' }
  }
}

const CONFIRMATIONS: Record<ScriptAction, (title: string) => string> = {
  feature: (title) => `Are you sure you want to feature "${title}"?`,
  unfeature: (title) => `Are you sure you want to remove "${title}" from the featured scripts?`,
  verify: (title) => `Are you sure you want to verify "${title}"?`,
  unverify: (title) => `Are you sure you want to remove the verification of "${title}"?`,
  delete: (title) => `Are you sure you want to delete "${title}"? This action cannot be undone.`,
}

export function ConfirmScriptAction({
  script,
  action,
  onClose,
}: {
  script: AdminScript
  action: ScriptAction
  onClose: () => void
}) {
  const act = useAdminAction()
  const confirm = () =>
    act(bodyOf(action, script.id), {
      success: ({ message }) => message || `Script ${action} successful`,
      failure: `Failed to ${action} script`,
    })
  return (
    <ConfirmDialog
      title={`${ACTION_LABELS[action]}: ${script.title}`}
      text={CONFIRMATIONS[action](script.title)}
      confirmLabel={ACTION_LABELS[action]}
      busyLabel="Working..."
      tone={action === 'delete' ? 'danger' : 'primary'}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

interface Failure {
  script: AdminScript
  error: string
}

/** One action on all selected scripts, a request for each. Failed scripts are listed and can be tried again. */
export function BulkScriptDialog({ scripts, onClose }: { scripts: readonly AdminScript[]; onClose: () => void }) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [action, setAction] = useState<ScriptAction | ''>('')
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const remaining = failures.length > 0 ? failures.map(({ script }) => script) : scripts
  const targets = action === '' ? [] : remaining.filter((script) => actionsFor(script).includes(action))

  const apply = async () => {
    if (action === '') return
    const failed: Failure[] = []
    for (const [done, script] of targets.entries()) {
      setProgress({ done, total: targets.length })
      await api('POST /api/admin-keys', { body: bodyOf(action, script.id) }).catch((error: unknown) =>
        failed.push({ script, error: describeActionError(error) }),
      )
    }
    setProgress({ done: targets.length, total: targets.length })
    setFailures(failed)
    const count = targets.length - failed.length
    if (count > 0) {
      toast({ title: `Bulk action completed for ${count} scripts`, tone: 'success' })
      void revalidate()
    }
    if (failed.length === 0) return
    toast({ title: `Failed to ${action} ${failed.length} of ${targets.length} scripts`, tone: 'error' })
    // Keeps the dialog open.
    throw new Error('The bulk action failed for some scripts.')
  }

  return (
    <FormDialog
      title={`Bulk actions: ${remaining.length} ${remaining.length === 1 ? 'script' : 'scripts'}`}
      submitLabel={failures.length > 0 ? 'Try again' : 'Apply'}
      busyLabel="Applying..."
      tone={action === 'delete' ? 'danger' : 'primary'}
      canSubmit={targets.length > 0}
      onSubmit={apply}
      onClose={onClose}
    >
      {() => (
        <>
          <ChoiceField
            name="action"
            label="Action"
            value={action}
            options={{ '': 'Choose an action...', ...ACTION_LABELS }}
            help={action && helpFor(action, targets.length, remaining.length)}
            onChange={setAction}
          />
          {progress && <ProgressBar {...progress} />}
          <FailureList failures={failures.map(({ script: { id, title }, error }) => ({ id, name: title, error }))} />
        </>
      )}
    </FormDialog>
  )
}

function ProgressBar({ done, total }: { done: number; total: number }) {
  return (
    <div className="flex flex-col gap-1">
      <progress
        value={done}
        max={total}
        aria-label="Progress"
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-moz-progress-bar]:bg-accent-strong [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-accent-strong"
      />
      <output className="text-sm text-muted tabular-nums">
        {done} of {total}
      </output>
    </div>
  )
}

function helpFor(action: ScriptAction, count: number, total: number): string {
  if (action === 'delete') return 'This also deletes ratings and stats. This action cannot be undone.'
  if (count === total) return `Changes all ${total}.`
  return `Changes ${count} of ${total}. The rest are already up to date.`
}
