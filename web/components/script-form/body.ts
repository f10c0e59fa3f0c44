import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { readDataUrl } from '#web/lib/read-data-url.ts'
import { changedFields, type ScriptValues } from './values.ts'

/** What the API takes: a key's address only with a key system, a game only where the script is for one. */
function plainBody(values: ScriptValues): Omit<NewScript, 'image'> {
  return {
    title: values.title.trim(),
    version: values.version.trim(),
    description: values.description.trim(),
    tags: values.tags,
    is_universal: values.is_universal,
    ...(values.is_universal ? {} : { game_id: values.game_id.trim() || null }),
    is_client_side: values.is_client_side,
    is_free: values.is_free,
    is_mobile_compatible: values.is_mobile_compatible,
    is_working: values.is_working,
    is_public: values.is_public,
    has_key_system: values.has_key_system,
    ...(values.has_key_system ? { key_system_url: values.key_system_url.trim() || null } : {}),
    script_content: values.script_content,
  }
}

const imageBody = async (image: ScriptValues['image']): Promise<string> =>
  typeof image === 'string' ? image : readDataUrl(image)

export async function newScriptBody(values: ScriptValues): Promise<NewScript> {
  const image = await imageBody(values.image)
  return { ...plainBody(values), ...(image ? { image } : {}) }
}

/** Only what differs from what was edited, so that nothing else is touched. */
export async function changeBody(base: ScriptValues, values: ScriptValues): Promise<ScriptChange> {
  const differing = new Set<string>(changedFields(base, values))
  const entries = Object.entries(plainBody(values)).filter(([name]) => differing.has(name))
  const change: ScriptChange = Object.fromEntries(entries)
  // A pair goes together: the server judges the address by the switch it comes with.
  if (differing.has('game_id')) change.is_universal = values.is_universal
  if (differing.has('key_system_url')) change.has_key_system = values.has_key_system
  if (differing.has('image')) change.image = await imageBody(values.image)
  return change
}
