import { DEFAULT_VERSION } from '#contract/limits.ts'
import type { Script } from '#contract/scripts.ts'

/** What a script's form holds. Texts are as typed; `image` is a path the script has, a new file, or empty. */
export interface ScriptValues {
  title: string
  version: string
  description: string
  image: string | Blob
  tags: string[]
  is_universal: boolean
  game_id: string
  is_client_side: boolean
  is_free: boolean
  is_mobile_compatible: boolean
  is_working: boolean
  is_public: boolean
  has_key_system: boolean
  key_system_url: string
  script_content: string
}

export type FieldName = keyof ScriptValues
/** What is wrong with which field; the server may name ones that the form does not know. */
export type FieldErrors = Partial<Record<string, string>>

export const EMPTY_VALUES: ScriptValues = {
  title: '',
  version: DEFAULT_VERSION,
  description: '',
  image: '',
  tags: [],
  is_universal: true,
  game_id: '',
  is_client_side: true,
  is_free: true,
  is_mobile_compatible: true,
  is_working: true,
  is_public: true,
  has_key_system: false,
  key_system_url: '',
  script_content: '',
}

export const FIELD_NAMES = Object.keys(EMPTY_VALUES) as FieldName[]

/** A script as its form shows it. */
export function valuesOf(script: Script): ScriptValues {
  return {
    title: script.title,
    version: script.version,
    description: script.description,
    image: script.image,
    tags: script.tags.map(({ name }) => name),
    is_universal: script.is_universal,
    game_id: script.game_id ?? '',
    is_client_side: script.is_client_side,
    is_free: script.is_free,
    is_mobile_compatible: script.is_mobile_compatible,
    is_working: script.is_working,
    is_public: script.is_public,
    has_key_system: script.has_key_system,
    key_system_url: script.key_system_url ?? '',
    script_content: script.script_content,
  }
}

export function isSameValue(one: ScriptValues[FieldName], other: ScriptValues[FieldName]): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((tag, index) => tag === other[index])
  }
  return one === other
}

/** The fields in which two states differ, in the form's order. */
export function changedFields(one: ScriptValues, other: ScriptValues): FieldName[] {
  return FIELD_NAMES.filter((name) => !isSameValue(one[name], other[name]))
}

/** A change as the form makes it: what no longer applies is cleared along. */
export function changeValues(values: ScriptValues, change: Partial<ScriptValues>): ScriptValues {
  const changed = { ...values, ...change }
  if (changed.is_universal) changed.game_id = ''
  if (!changed.has_key_system) changed.key_system_url = ''
  return changed
}
