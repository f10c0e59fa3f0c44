import type { FieldErrors, ScriptValues } from './values.ts'

/** What each part of a script's form is given. */
export interface FieldGroupProps {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}
