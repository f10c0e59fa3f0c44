import {
  changeValues,
  changedFields,
  type FieldName,
  isSameValue,
  type ScriptValues,
} from '#web/components/script-form/values.ts'

export type Side = 'mine' | 'theirs'

/** Two states of a script that were made from the same one. */
export interface Conflict {
  mine: ScriptValues
  theirs: ScriptValues
  /** What somebody else changed, in the form's order. */
  fields: FieldName[]
  /** What the form takes; nothing where both changed it and the choice is still open. */
  choices: Partial<Record<FieldName, Side>>
}

/** What only they changed is theirs, and what both changed to something else waits for a choice. */
export function findConflict(base: ScriptValues, mine: ScriptValues, theirs: ScriptValues): Conflict {
  const fields = changedFields(base, theirs).filter((name) => !isSameValue(mine[name], theirs[name]))
  const untouched = fields.filter((name) => isSameValue(base[name], mine[name]))
  return { mine, theirs, fields, choices: Object.fromEntries(untouched.map((name) => [name, 'theirs'])) }
}

/** Both sides in one, by the choices made; what is not yet chosen stays mine. */
export function mergeEdits({ mine, theirs, fields, choices }: Conflict): ScriptValues {
  const taken = fields.filter((name) => choices[name] === 'theirs')
  const change = Object.fromEntries(taken.map((name) => [name, theirs[name]])) as Partial<ScriptValues>
  return changeValues(mine, change)
}

/** The fields that somebody still has to decide on. */
export const openFields = ({ fields, choices }: Conflict): FieldName[] => fields.filter((name) => !choices[name])
