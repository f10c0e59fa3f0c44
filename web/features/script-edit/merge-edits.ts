import {
  changeValues,
  changedFields,
  type FieldName,
  isSameValue,
  type ScriptValues,
} from '#web/features/script-edit/form/values.ts'

export type Side = 'mine' | 'theirs'

/** Two edits of the same state of a script. */
export interface Conflict {
  mine: ScriptValues
  theirs: ScriptValues
  /** The fields that the other edit changed, in form order. */
  fields: FieldName[]
  /** The chosen side by field. Missing where both sides changed the field and the member has not chosen yet. */
  choices: Partial<Record<FieldName, Side>>
}

/** Takes their value for fields that only they changed. Fields that both changed differently need a choice. */
export function findConflict(base: ScriptValues, mine: ScriptValues, theirs: ScriptValues): Conflict {
  const fields = changedFields(base, theirs).filter((name) => !isSameValue(mine[name], theirs[name]))
  const untouched = fields.filter((name) => isSameValue(base[name], mine[name]))
  return { mine, theirs, fields, choices: Object.fromEntries(untouched.map((name) => [name, 'theirs'])) }
}

/** Merges both edits by the choices made. Fields without a choice keep my value. */
export function mergeEdits({ mine, theirs, fields, choices }: Conflict): ScriptValues {
  const theirFields = fields.filter((name) => choices[name] === 'theirs')
  const change = Object.fromEntries(theirFields.map((name) => [name, theirs[name]])) as Partial<ScriptValues>
  return changeValues(mine, change)
}

/** The fields that still need a choice. */
export const openFields = ({ fields, choices }: Conflict): FieldName[] => fields.filter((name) => !choices[name])
