import { MAX_REQUIREMENTS_LENGTH } from '#contract/limits.ts'
import { LICENSES, PLACEMENTS, SCRIPT_TYPES } from '#contract/script-kinds.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { FieldErrors, ScriptValues } from './values.ts'

const licenses = { '': 'No license chosen', ...LICENSES }
const optionsOf = (names: readonly string[]): Record<string, string> => ({
  '': 'Not specified',
  ...Object.fromEntries(names.map((name) => [name, name])),
})
const types = optionsOf(SCRIPT_TYPES)
const placements = optionsOf(PLACEMENTS)

interface Props {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}

type KindProps = Pick<Props, 'values' | 'change'> & { isProposed?: boolean }

/** Script type and placement. */
export function KindFields({ values, change, isProposed = false }: KindProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <ChoiceField
        name="script_type"
        label="Script type"
        mark={isProposed ? 'Proposed' : undefined}
        value={values.script_type}
        options={types}
        onChange={(script_type) => change({ script_type })}
      />
      <ChoiceField
        name="placement"
        label="Where it goes"
        value={values.placement}
        options={placements}
        onChange={(placement) => change({ placement })}
      />
    </div>
  )
}

/** Requirements and license. */
export function UseFields({ values, errors, change }: Props) {
  return (
    <>
      <Field
        name="requirements"
        label="Requirements"
        help={`What else it needs, such as other modules or RemoteEvents. At most ${MAX_REQUIREMENTS_LENGTH} characters.`}
        error={errors['requirements']}
      >
        {(aria) => (
          <TextArea {...aria} value={values.requirements} onChange={(requirements) => change({ requirements })} />
        )}
      </Field>
      <ChoiceField
        name="license"
        label="License"
        help={
          <>
            Without a license, nobody may reuse your code.{' '}
            <a
              href="https://choosealicense.com"
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent underline"
            >
              Help me choose
            </a>
          </>
        }
        value={values.license}
        options={licenses}
        onChange={(license) => change({ license })}
      />
    </>
  )
}
