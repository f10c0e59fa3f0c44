import { countCharacters } from '@scriptyard/text'
import { type RefObject, useId } from 'react'
import { MAX_CHANGELOG_LENGTH } from '#contract/limits.ts'
import type { CodeFieldHandle } from '#web/features/script-edit/form/code-editor.tsx'
import { CodeField } from '#web/features/script-edit/form/code-field.tsx'
import { DuplicateNote } from '#web/features/script-edit/form/duplicate-note.tsx'
import { DeclarationFields } from '#web/features/script-edit/form/declaration-fields.tsx'
import { StartsNotice } from '#web/features/script-edit/form/serious-notice.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { CodeComparison } from '#web/shared/code-diff/code-diff.tsx'
import { MarkdownArea } from '#web/shared/markdown/markdown-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { useEdit } from './use-edit.ts'

interface Props {
  edit: ReturnType<typeof useEdit>
}

export const VERSION_FIELDS: ReadonlySet<string> = new Set([
  'version',
  'script_content',
  'changelog',
  'declared_capabilities',
  'declared_hosts',
])

/** Code, number and notes of the next version. */
export function VersionFields({
  edit,
  codeField,
  scriptId,
}: Props & { codeField: RefObject<CodeFieldHandle | null>; scriptId: number }) {
  const { values, errors, change } = edit
  const id = useId()
  const showLine = (line: number) => codeField.current?.goToLine(line)
  return (
    <>
      <CodeField
        handle={codeField}
        code={values.script_content}
        error={errors['script_content']}
        onChange={(script_content) => change({ script_content })}
      />
      <DuplicateNote duplicate={edit.declaration.check.duplicate} />
      {edit.changed.includes('script_content') && (
        <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5">
          <h3 id={id} className="font-medium">
            Changes since <bdi>{edit.currentVersion}</bdi>
          </h3>
          <CodeComparison older={edit.currentCode} newer={values.script_content} />
        </section>
      )}
      <NextVersionField edit={edit} />
      <NotesField edit={edit} />
      <DeclarationFields
        values={values}
        errors={errors}
        change={change}
        check={edit.declaration.check}
        onLine={showLine}
      />
      <StartsNotice scriptId={scriptId} isPublic={values.is_public} check={edit.declaration.check} onLine={showLine} />
    </>
  )
}

/** What changed. The first line is the subject. */
function NotesField({ edit }: Props) {
  const { changelog, errors, isNewVersion, setChangelog } = edit
  return (
    <Field
      name="changelog"
      label="What changed"
      help={
        isNewVersion
          ? 'Optional. Lists and feeds show the first line. Add details below it; you can use Markdown.'
          : 'Saved when the code or version number changes.'
      }
      error={errors['changelog']}
      aside={`${fullCount(countCharacters(changelog.trim()))} / ${fullCount(MAX_CHANGELOG_LENGTH)}`}
    >
      {(aria) => <MarkdownArea aria={aria} value={changelog} onChange={setChangelog} />}
    </Field>
  )
}

const stepLabels = { patch: 'Patch', minor: 'Minor', major: 'Major' } as const

/** The number of the next version, with proposals. */
function NextVersionField({ edit }: Props) {
  const { values, errors, change, currentVersion, nextNumbers } = edit
  const steps = (Object.keys(stepLabels) as (keyof typeof stepLabels)[]).flatMap((step) => {
    const version = nextNumbers[step]
    return version === undefined ? [] : [{ label: stepLabels[step], version }]
  })
  return (
    <div className="flex flex-col gap-2">
      <Field
        name="version"
        label="Version"
        help={
          <>
            The current version is <bdi>{currentVersion}</bdi>.
          </>
        }
        error={errors['version']}
      >
        {(aria) => <TextInput {...aria} value={values.version} onChange={(version) => change({ version })} />}
      </Field>
      {steps.length > 1 && (
        <div role="group" aria-label="Next version number" className="flex flex-wrap gap-2">
          {steps.map(({ label, version }) => (
            <Button
              key={label}
              size="sm"
              aria-pressed={values.version === version}
              onClick={() => change({ version })}
              className="tabular-nums aria-pressed:border-accent aria-pressed:bg-accent-soft"
            >
              {label} {version}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
