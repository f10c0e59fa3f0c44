import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate, useQuery } from '#web/router/router.tsx'
import { MAX_CHANGELOG_LENGTH } from '#contract/limits.ts'
import type { Script } from '#contract/scripts.ts'
import { FormBar, FormStatus } from '#web/components/form-bar.tsx'
import { CodeField, type CodeFieldHandle } from '#web/components/script-form/code-field.tsx'
import { DeclarationFields, SecretWarning } from '#web/components/script-form/declaration-fields.tsx'
import {
  ImageField,
  KeyFields,
  PropertyFields,
  TagField,
  TextFields,
  VersionField,
} from '#web/components/script-form/script-fields.tsx'
import { ScreenshotsField } from '#web/components/script-form/screenshots-field.tsx'
import { ScriptPreview } from '#web/components/script-form/script-preview.tsx'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { coverMessages } from './cover-messages.ts'
import { RepositorySync } from './repository-sync.tsx'
import { TrustedPublishing } from './trusted-publishing.tsx'
import { type EditState, type Phase, useEdit } from './use-edit.ts'

const POPULAR_TAGS = 5
const LEAVE_DELAY_MS = 500
const VERSION_FIELDS = new Set(['version', 'script_content', 'changelog', 'declared_capabilities', 'declared_hosts'])

const EDIT_TABS = ['details', 'version', 'repository'] as const
type EditTab = (typeof EDIT_TABS)[number]

const pathOf = ({ slug }: Pick<Script, 'slug'>) => `/scripts/${encodeURIComponent(slug)}`
const urlOf = (script: Pick<Script, 'slug'>, tab: EditTab) =>
  `${pathOf(script)}/edit${tab === 'details' ? '' : `?tab=${tab}`}`

interface Props {
  script: Pick<Script, 'id' | 'slug'>
  initial: EditState
  slot: DraftSlot
}

/**
 * Three tabs: details, new version, and publishing from a repository. Details and new version share a draft and a Save
 * button.
 */
export function EditForm({ script, initial, slot }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const query = useQuery()
  const tab = EDIT_TABS.find((name) => name === query.get('tab')) ?? 'details'
  const codeField = useRef<CodeFieldHandle>(null)
  const showErrors = useShowErrors(script, tab, form)
  const edit = useEdit({ slot, script, initial, onErrors: showErrors, isCodeShown: tab === 'version' })
  const { values, errors, change, conflict } = edit
  useLeaveWhenSaved(script, form, edit.fullySaved)
  const showLine = useShowLine(script, tab, codeField)
  const fields = { values, errors, change }
  const tabs = [
    { id: 'details', label: 'Edit details', to: urlOf(script, 'details') },
    { id: 'version', label: 'Publish new version', to: urlOf(script, 'version') },
    { id: 'repository', label: 'Repository', to: urlOf(script, 'repository') },
  ]
  if (tab === 'repository') {
    return (
      <div className="flex max-w-3xl flex-col gap-5">
        <LinkTabs label="What to edit" tabs={tabs} current={tab}>
          <RepositoryPanel script={script} />
        </LinkTabs>
      </div>
    )
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form
        ref={form}
        noValidate
        aria-label="Edit script"
        onSubmit={(event) => {
          event.preventDefault()
          void edit.save()
        }}
        className="flex min-w-0 flex-col gap-5"
      >
        {edit.isRestored && !conflict && (
          <p role="status" className="rounded-md border border-line bg-accent-soft p-3">
            We restored your unsaved changes.
          </p>
        )}
        {conflict && <ConflictPanel conflict={conflict} onChoose={edit.choose} />}
        <LinkTabs label="What to edit" tabs={tabs} current={tab}>
          <div className="flex flex-col gap-5">
            {tab === 'details' ? (
              <DetailFields edit={edit} fields={fields} script={script} />
            ) : (
              <VersionFields edit={edit} fields={fields} codeField={codeField} />
            )}
          </div>
        </LinkTabs>
        <SecretWarning declaration={edit.declaration} error={errors['secret']} onLine={showLine} />
        <EditFooter edit={edit} tab={tab} script={script} />
      </form>
      <ScriptPreview values={values} />
    </div>
  )
}

/** Returns to the script's page, whose path changes with the title, unless the author goes on typing. */
function useLeaveWhenSaved(
  script: Pick<Script, 'slug'>,
  form: RefObject<HTMLFormElement | null>,
  fullySaved: Script | undefined,
) {
  const navigate = useNavigate()
  const leave = useEffectEvent((saved: Script) => {
    // Stays on the current page if the author has navigated away.
    if (!form.current || location.pathname !== `${pathOf(script)}/edit`) return
    void navigate(pathOf(saved), { replace: true })
  })
  useEffect(() => {
    if (!fullySaved) return undefined
    const timer = setTimeout(() => leave(fullySaved), LEAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [fullySaved])
}

/** Opens the tab of the first field with an error, and focuses it when the tab is rendered. */
function useShowErrors(script: Pick<Script, 'slug'>, tab: EditTab, form: RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate()
  const [invalid, setInvalid] = useState<{ names: readonly string[]; tab: EditTab }>()
  const focused = useRef(invalid)
  useEffect(() => {
    if (!invalid || invalid.tab !== tab || focused.current === invalid) return
    focused.current = invalid
    if (form.current) focusFirstError(form.current, invalid.names)
  }, [form, invalid, tab])
  return (errors: object) => {
    const names = Object.keys(errors)
    const tabs = new Set(
      // The warning about secrets is on both tabs.
      names.map((name): EditTab => (name === 'secret' ? tab : VERSION_FIELDS.has(name) ? 'version' : 'details')),
    )
    const [first = tab] = tabs
    const shown = tabs.has(tab) ? tab : first
    setInvalid({ names, tab: shown })
    if (shown !== tab) void navigate(urlOf(script, shown), { replace: true, preventScrollReset: true })
  }
}

/** Shows a line of the code, which is on the tab of the new version. */
function useShowLine(script: Pick<Script, 'slug'>, tab: EditTab, codeField: RefObject<CodeFieldHandle | null>) {
  const navigate = useNavigate()
  const requested = useRef<number>(undefined)
  useEffect(() => {
    if (tab !== 'version' || requested.current === undefined) return
    codeField.current?.goToLine(requested.current)
    requested.current = undefined
  }, [codeField, tab])
  return (line: number) => {
    if (tab === 'version') return codeField.current?.goToLine(line)
    requested.current = line
    void navigate(urlOf(script, 'version'), { replace: true, preventScrollReset: true })
  }
}

interface FieldsProps {
  edit: ReturnType<typeof useEdit>
  fields: Parameters<typeof PropertyFields>[0]
}

function DetailFields({ edit, fields, script }: FieldsProps & Pick<Props, 'script'>) {
  const { values, errors, change } = fields
  return (
    <>
      <FormSection title="Basic Information" text="The first thing people see.">
        <TextFields {...fields} hasVersion={false} />
        <ImageField
          label="Cover"
          messages={coverMessages}
          image={values.image}
          errors={errors}
          onChange={(image) => change({ image })}
          onError={(image) => edit.setErrors((all) => ({ ...all, image }))}
        />
        <ScreenshotsField {...fields} />
      </FormSection>
      <FormSection title="Tags & Categories" text="Tags help people find your script.">
        <TagField {...fields} popularCount={POPULAR_TAGS} />
      </FormSection>
      <FormSection title="Script Properties" text="Compatibility, pricing and visibility.">
        <PropertyFields {...fields} hiddenAt={edit.isHidden ? pathOf(script) : undefined} />
      </FormSection>
      <FormSection title="Access Control" text="Does the script need a key?">
        <KeyFields {...fields} />
      </FormSection>
    </>
  )
}

function RepositoryPanel({ script }: Pick<Props, 'script'>) {
  return (
    <div className="flex flex-col gap-5">
      <TrustedPublishing script={script} />
      <RepositorySync script={script} />
    </div>
  )
}

interface VersionProps extends FieldsProps {
  codeField: RefObject<CodeFieldHandle | null>
}

function VersionFields({ edit, fields, codeField }: VersionProps) {
  const { values, errors, change } = fields
  return (
    <FormSection title="New version" text="Replaces the code. Earlier versions stay in the history.">
      <VersionField {...fields} />
      <Field
        name="changelog"
        label="What changed"
        help={
          edit.isNewVersion
            ? 'One line for the version history (optional).'
            : 'Saved when the code or version number changes.'
        }
        error={errors['changelog']}
        aside={`${edit.changelog.length} / ${MAX_CHANGELOG_LENGTH}`}
      >
        {(aria) => <TextInput {...aria} value={edit.changelog} onChange={edit.setChangelog} />}
      </Field>
      <CodeField
        handle={codeField}
        code={values.script_content}
        error={errors['script_content']}
        onChange={(script_content) => change({ script_content })}
      />
      <DeclarationFields
        {...fields}
        check={edit.declaration.check}
        onLine={(line) => codeField.current?.goToLine(line)}
      />
    </FormSection>
  )
}

const statusTexts: Record<Phase, string> = {
  idle: '',
  saving: 'Saving changes...',
  saved: 'Changes saved, except your latest edits.',
  failed: '',
}

/** Save status and buttons, sticky at the end of the form. */
function EditFooter({ edit, tab, script }: { edit: FieldsProps['edit']; tab: EditTab; script: Props['script'] }) {
  const { phase, isChanged, changed, hasOpenChoices } = edit
  const isBusy = phase === 'saving'
  const canSave = isChanged && !isBusy && !hasOpenChoices
  const hasOthers = changed.some((name) => VERSION_FIELDS.has(name) !== (tab === 'version'))
  const others =
    tab === 'version' ? 'Your changes in “Edit details” are saved too.' : 'Your new version is published too.'
  return (
    <FormBar>
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
          (hasOpenChoices ? 'Choose a version for each highlighted field above.' : hasOthers && others)}
      </FormStatus>
      {isChanged && !isBusy && (
        <Button variant="ghost" onClick={() => void edit.discard()}>
          Discard changes
        </Button>
      )}
      <LinkButton to={pathOf(script)} className="max-sm:flex-1">
        Close
      </LinkButton>
      <Button
        type="submit"
        variant="primary"
        aria-disabled={!canSave}
        onClick={(event) => !canSave && event.preventDefault()}
        className="min-w-36 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 max-sm:flex-1"
      >
        {tab === 'version' ? 'Publish version' : 'Save changes'}
      </Button>
    </FormBar>
  )
}
