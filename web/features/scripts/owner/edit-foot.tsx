import { Button } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import type { Phase, useEdit } from './use-edit.ts'

const says: Record<Phase, string> = { idle: '', saving: 'Saving changes...', saved: 'Changes saved.', failed: '' }

/** How saving goes, and what can be done. Stays in sight at the form's end. */
export function EditFoot({ edit, onClose }: { edit: ReturnType<typeof useEdit>; onClose: () => void }) {
  const { phase, isChanged, hasOpenChoices } = edit
  const isBusy = phase === 'saving' || phase === 'saved'
  const canSave = isChanged && !isBusy && !hasOpenChoices
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-col gap-3 border-t border-line bg-surface-1 p-4 sm:px-5">
      {phase === 'failed' && (
        <FormAlert>
          <p>Failed to save changes.</p>
          <p className="text-text">{edit.failure}</p>
        </FormAlert>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <output className="mr-auto text-muted max-sm:w-full">
          {says[phase] || (hasOpenChoices ? 'Choose a side for each marked field above.' : '')}
        </output>
        {isChanged && !isBusy && (
          <Button variant="ghost" onClick={() => void edit.discard()}>
            Discard changes
          </Button>
        )}
        <Button onClick={onClose} className="max-sm:flex-1">
          Close
        </Button>
        <Button
          type="submit"
          variant="primary"
          aria-disabled={!canSave}
          onClick={(event) => !canSave && event.preventDefault()}
          className="min-w-32 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 max-sm:flex-1"
        >
          Save changes
        </Button>
      </div>
    </div>
  )
}
