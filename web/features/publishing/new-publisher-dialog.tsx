import { useState } from 'react'
import {
  MAX_BRANCH_LENGTH,
  MAX_ENVIRONMENT_LENGTH,
  MAX_PUBLISHERS,
  MAX_REPOSITORY_LENGTH,
  MAX_WORKFLOW_LENGTH,
} from '#contract/limits.ts'
import type { Forge, NewTrustedPublisher, TrustedPublisher } from '#contract/trusted-publishing.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

type TextName = 'repository' | 'workflow' | 'branch' | 'environment' | 'repository_id'

interface TextFieldOptions {
  name: TextName
  label: string
  help: string
  maxLength: number
}

const textFields = (isGitHub: boolean): TextFieldOptions[] => [
  {
    name: 'repository',
    label: isGitHub ? 'Repository' : 'Project',
    help: isGitHub ? 'For example, owner/name.' : 'Its path, for example group/project.',
    maxLength: MAX_REPOSITORY_LENGTH,
  },
  {
    name: 'workflow',
    label: isGitHub ? 'Workflow file' : 'Pipeline configuration',
    help: isGitHub ? 'A file in .github/workflows, such as release.yml.' : 'Its path in the repository.',
    maxLength: MAX_WORKFLOW_LENGTH,
  },
  {
    name: 'branch',
    label: 'Branch (optional)',
    help: 'Trust builds of this branch only. Builds of pull requests never publish.',
    maxLength: MAX_BRANCH_LENGTH,
  },
  {
    name: 'environment',
    label: 'Environment (optional)',
    help: 'Trust jobs of this environment only, for example one with required reviewers.',
    maxLength: MAX_ENVIRONMENT_LENGTH,
  },
  {
    name: 'repository_id',
    label: 'Repository number (optional)',
    help: 'We learn it from the first build, so that nobody else can publish from a new repository of this name.',
    maxLength: 20,
  },
]

const isGitLab = (forges: readonly Forge[], url: string) => forges.find((forge) => forge.url === url)?.kind === 'gitlab'

interface Props {
  initial: NewTrustedPublisher
  forges: readonly Forge[]
  onAdded: (publisher: TrustedPublisher) => void
  onSignInRequired: (draft: NewTrustedPublisher) => void
  onClose: () => void
}

/** Adds a trusted publisher. */
export function NewPublisherDialog({ initial, forges, onAdded, onSignInRequired, onClose }: Props) {
  const api = useApi()
  const [draft, setDraft] = useState(initial)
  const submit = async () => {
    try {
      onAdded((await api('POST /api/trusted-publishers', { body: draft })).publisher)
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return onSignInRequired(draft)
      throw error
    }
  }
  return (
    <FormDialog
      title="Add a trusted publisher"
      submitLabel="Add publisher"
      busyLabel="Adding..."
      size="md"
      hasAlert
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ChoiceField
            name="forge"
            label="Server"
            value={draft.forge}
            options={Object.fromEntries(forges.map(({ url }) => [url, new URL(url).host]))}
            onChange={(forge) =>
              setDraft({ ...draft, forge, workflow: isGitLab(forges, forge) ? '.gitlab-ci.yml' : '' })
            }
          />
          {textFields(!isGitLab(forges, draft.forge)).map(({ name, label, help, maxLength }) => (
            <Field
              key={name}
              name={name}
              label={label}
              isRequired={name === 'repository' || name === 'workflow'}
              help={help}
              error={errors[name]}
            >
              {(aria) => (
                <TextInput
                  {...aria}
                  value={draft[name] ?? ''}
                  maxLength={maxLength}
                  autoCapitalize="none"
                  spellCheck={false}
                  onChange={(value) => setDraft({ ...draft, [name]: value })}
                />
              )}
            </Field>
          ))}
          <p className="text-sm text-muted">A script can have {MAX_PUBLISHERS} publishers.</p>
        </>
      )}
    </FormDialog>
  )
}
