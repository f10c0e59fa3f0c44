import { changedFields, EMPTY_VALUES, FIELD_NAMES, type ScriptValues } from '#web/components/script-form/values.ts'
import { randomId } from '#web/lib/random-id.ts'

/** A script that is being written. Its key makes sure that it is published once, however often it is sent. */
export interface Draft {
  key: string
  values: ScriptValues
}

export const newDraft = (): Draft => ({ key: randomId(), values: EMPTY_VALUES })

export const isBlank = (values: ScriptValues): boolean => changedFields(values, EMPTY_VALUES).length === 0

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What was kept, made whole: an older page may have kept other fields. Undefined where nothing worth it is there. */
export function reviveDraft(kept: unknown, image: unknown): Draft | undefined {
  if (!isRecord(kept) || typeof kept['key'] !== 'string' || !isRecord(kept['values'])) return undefined
  const found = kept['values']
  const entries = FIELD_NAMES.filter((name) => name !== 'image').flatMap((name) => {
    const value = found[name]
    return isAlike(value, EMPTY_VALUES[name]) ? [[name, value]] : []
  })
  const values: ScriptValues = {
    ...EMPTY_VALUES,
    ...(Object.fromEntries(entries) as Partial<ScriptValues>),
    ...(image instanceof Blob ? { image } : {}),
  }
  return isBlank(values) ? undefined : { key: kept['key'], values }
}

function isAlike(value: unknown, model: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === typeof model
}
