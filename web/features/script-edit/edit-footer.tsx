import type { ReactNode } from 'react'
import { FormBar, FormStatus } from '#web/ui/form-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import type { Phase } from './edit-state.ts'
import { OtherDraftNotice } from './other-draft.tsx'
import type { useEdit } from './use-edit.ts'

const statusTexts: Record<Phase, string> = {
  idle: '',
  saving: 'Saving changes...',
  saved: 'Changes saved, except your latest edits.',
  failed: '',
}

interface Props {
  edit: ReturnType<typeof useEdit>
  saveLabel: string
  /** Shown while there is no status. */
  note?: string | false
  isInDialog?: boolean
  /** The button or link that leaves the form. */
  children: ReactNode
}

/** Save status and buttons, sticky at the end of the form. */
export function EditFooter({ edit, saveLabel, note = false, isInDialog = false, children }: Props) {
  const { phase, isChanged, hasOpenChoices } = edit
  const isBusy = phase === 'saving'
  const canSave = isChanged && !isBusy && !hasOpenChoices
  return (
    <FormBar isInDialog={isInDialog}>
      {phase === 'failed' && (
        <div className="w-full">
          <FormAlert>
            <p>Failed to save changes.</p>
            <p className="text-text">{edit.failure}</p>
          </FormAlert>
        </div>
      )}
      <FormStatus>
        {(edit.fullySaved ? 'Changes saved.' : statusTexts[phase]) ||
          (hasOpenChoices ? 'Choose a version for each highlighted field above.' : note)}
      </FormStatus>
      {isChanged && !isBusy && (
        <Button variant="ghost" onClick={() => void edit.discard()}>
          Discard changes
        </Button>
      )}
      {children}
      <Button
        type="submit"
        variant="primary"
        aria-disabled={!canSave}
        onClick={(event) => !canSave && event.preventDefault()}
        className="min-w-36 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 max-sm:flex-1"
      >
        {saveLabel}
      </Button>
    </FormBar>
  )
}

/** Says that changes of an earlier visit are back, and offers those of another device. */
export function RestoredNotice({ edit }: Pick<Props, 'edit'>) {
  const { other } = edit
  return (
    <>
      {edit.isRestored && !edit.conflict && (
        <p role="status" className="rounded-md border border-line bg-accent-soft p-3">
          We restored your unsaved changes.
        </p>
      )}
      {other && (
        <OtherDraftNotice
          key={other.changedAt}
          what="Changes"
          from={other.from}
          changedAt={other.changedAt}
          onUse={edit.takeOther}
          onDismiss={edit.dismissOther}
        />
      )}
    </>
  )
}
