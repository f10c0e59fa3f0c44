import { useState } from 'react'
import type { AdminScript } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { describeActionError } from '#web/lib/describe-error.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ACTION_LABELS, runScriptAction, isApplicable, type ScriptAction } from './script-actions.ts'

interface Failed {
  script: AdminScript
  error: string
}

/** One call for each selected script, with the way it goes. What failed is named, and can be tried again. */
export function BulkScripts({
  scripts,
  onDone,
  onClose,
}: {
  scripts: readonly AdminScript[]
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const toast = useToast()
  const [deed, setDeed] = useState<ScriptAction | ''>('')
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const left = failed.length > 0 ? failed.map(({ script }) => script) : scripts
  const wanted = deed === '' ? [] : left.filter((script) => isApplicable(script, deed))

  const run = async () => {
    if (deed === '') return
    const missed: Failed[] = []
    for (const [done, script] of wanted.entries()) {
      setProgress({ done, of: wanted.length })
      await runScriptAction(api, deed, script.id).catch((error: unknown) =>
        missed.push({ script, error: describeActionError(error) }),
      )
    }
    setProgress({ done: wanted.length, of: wanted.length })
    setFailed(missed)
    const count = wanted.length - missed.length
    if (count > 0) {
      toast({ title: `Bulk action completed for ${count} scripts`, tone: 'success' })
      onDone()
    }
    if (missed.length === 0) return
    toast({
      title: `Failed to ${ACTION_LABELS[deed].toLowerCase()} ${missed.length} of ${wanted.length} scripts`,
      tone: 'error',
    })
    throw new Error('Some failed.')
  }

  return (
    <FormDialog
      title={`Bulk Actions: ${left.length} ${left.length === 1 ? 'script' : 'scripts'}`}
      submitLabel={failed.length > 0 ? 'Try again' : 'Apply'}
      busyLabel="Applying..."
      tone={deed === 'delete' ? 'danger' : 'primary'}
      canSubmit={wanted.length > 0}
      onSubmit={run}
      onClose={onClose}
    >
      {() => (
        <>
          <ChoiceField
            name="action"
            label="Action"
            value={deed}
            options={{ '': 'Choose an action...', ...ACTION_LABELS }}
            help={deed && helpOf(deed, wanted.length, left.length)}
            onChange={setDeed}
          />
          {progress && (
            <div className="flex flex-col gap-1">
              <progress
                value={progress.done}
                max={progress.of}
                aria-label="Progress"
                className="h-2 w-full appearance-none overflow-hidden rounded-full bg-surface-3 [&::-moz-progress-bar]:bg-accent-strong [&::-webkit-progress-bar]:bg-surface-3 [&::-webkit-progress-value]:bg-accent-strong"
              />
              <output className="text-sm text-muted tabular-nums">
                {progress.done} of {progress.of}
              </output>
            </div>
          )}
          {failed.length > 0 && <Missed failed={failed} />}
        </>
      )}
    </FormDialog>
  )
}

function helpOf(deed: ScriptAction, wanted: number, all: number): string {
  if (deed === 'delete') return 'Their ratings and counters go along. This action cannot be undone.'
  if (wanted === all) return `All ${all} will be changed.`
  return `${wanted} of ${all} will be changed; the others are so already.`
}

function Missed({ failed }: { failed: readonly Failed[] }) {
  return (
    <FormAlert>
      <p>Not done:</p>
      <ul className="list-inside list-disc">
        {failed.map(({ script, error }) => (
          <li key={script.id}>
            <bdi className="font-medium">{script.title}</bdi>: {error}
          </li>
        ))}
      </ul>
    </FormAlert>
  )
}
