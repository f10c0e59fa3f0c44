import { useState } from 'react'
import { MAX_BRANCH_LENGTH, MAX_PATTERN_LENGTH, MAX_REPOSITORY_LENGTH } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import type { NewRepositorySource } from '#contract/repository-sync.ts'
import type { Forge } from '#contract/trusted-publishing.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

interface Props {
  initial: NewRepositorySource
  forges: readonly Forge[]
  isChange: boolean
  onConnected: (connected: ResultOf<'PUT /api/repository-source'>) => void
  onSignInRequired: (draft: NewRepositorySource) => void
  onClose: () => void
}

export function ConnectDialog({ initial, forges, isChange, onConnected, onSignInRequired, onClose }: Props) {
  const api = useApi()
  const [draft, setDraft] = useState(initial)
  const isGitHub = forges.find(({ url }) => url === draft.forge)?.kind !== 'gitlab'
  const submit = async () => {
    try {
      onConnected(await api('PUT /api/repository-source', { body: draft }))
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return onSignInRequired(draft)
      throw error
    }
  }
  return (
    <FormDialog
      title={isChange ? 'Change the repository' : 'Connect a repository'}
      submitLabel={isChange ? 'Save' : 'Connect'}
      busyLabel={isChange ? 'Saving...' : 'Connecting...'}
      size="md"
      hasAlert
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => {
        const textField = (
          name: 'repository' | 'branch' | 'pattern',
          { label, help, maxLength }: { label: string; help: string; maxLength: number },
        ) => (
          <Field name={name} label={label} isRequired help={help} error={errors[name]}>
            {(aria) => (
              <TextInput
                {...aria}
                value={draft[name]}
                maxLength={maxLength}
                autoCapitalize="none"
                spellCheck={false}
                onChange={(value) => setDraft({ ...draft, [name]: value })}
              />
            )}
          </Field>
        )
        return (
          <>
            <ChoiceField
              name="forge"
              label="Server"
              value={draft.forge}
              options={Object.fromEntries(forges.map(({ url }) => [url, new URL(url).host]))}
              onChange={(forge) => setDraft({ ...draft, forge })}
            />
            {textField('repository', {
              label: isGitHub ? 'Repository' : 'Project',
              help: `It must be public. ${isGitHub ? 'For example, owner/name.' : 'Its path, for example group/project.'}`,
              maxLength: MAX_REPOSITORY_LENGTH,
            })}
            {textField('branch', {
              label: 'Branch',
              help: 'Pushes to other branches and tags are ignored.',
              maxLength: MAX_BRANCH_LENGTH,
            })}
            {textField('pattern', {
              label: 'File',
              help: 'For example, src/lamp.luau, or a pattern that matches one file: src/**/lamp.{lua,luau}.',
              maxLength: MAX_PATTERN_LENGTH,
            })}
          </>
        )
      }}
    </FormDialog>
  )
}
