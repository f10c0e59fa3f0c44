import { DEFAULT_VERSION } from '#contract/limits.ts'
import type { NewScreenshot, NewScript, ScriptChange } from '#contract/script-input.ts'
import { isLicense, PLACEMENTS, SCRIPT_TYPES } from '#contract/script-kinds.ts'
import type { Script } from '#contract/scripts.ts'
import { type Declaration, readHosts } from './declaration.ts'

/** A screenshot in a form: the path of a stored image or a new file, and what it shows. */
export interface FormScreenshot {
  image: string | Blob
  alt: string
}

/** The values of a script form. Text is as typed; `image` is the current image's path, a new file, or empty. */
export interface ScriptValues extends Declaration {
  title: string
  version: string
  /** Empty for the first sentence of the description. */
  summary: string
  description: string
  image: string | Blob
  screenshots: FormScreenshot[]
  tags: string[]
  license: string
  script_type: string
  placement: string
  requirements: string
  is_universal: boolean
  game_id: string
  /** Entered only if the game has no name. */
  game_name: string
  is_client_side: boolean
  is_free: boolean
  is_mobile_compatible: boolean
  is_working: boolean
  is_public: boolean
  is_unlisted: boolean
  has_key_system: boolean
  key_system_url: string
  script_content: string
}

export type FieldName = keyof ScriptValues
/** Error messages by field. The server may return fields that the form does not have. */
export type FieldErrors = Partial<Record<string, string>>

export const EMPTY_VALUES: ScriptValues = {
  title: '',
  version: DEFAULT_VERSION,
  summary: '',
  description: '',
  image: '',
  screenshots: [],
  tags: [],
  license: '',
  script_type: '',
  placement: '',
  requirements: '',
  is_universal: true,
  game_id: '',
  game_name: '',
  is_client_side: true,
  is_free: true,
  is_mobile_compatible: true,
  is_working: true,
  is_public: true,
  is_unlisted: false,
  has_key_system: false,
  key_system_url: '',
  script_content: '',
  declared_capabilities: null,
  declared_hosts: '',
}

export const FIELD_NAMES = Object.keys(EMPTY_VALUES) as FieldName[]

export function valuesOf(script: Script): ScriptValues {
  return {
    title: script.title,
    version: script.version,
    summary: script.summary_setting ?? '',
    description: script.description,
    image: script.image,
    screenshots: script.screenshots.map(({ image, alt }) => ({ image, alt })),
    tags: script.tags.map(({ name }) => name),
    license: script.license ?? '',
    script_type: script.script_type ?? '',
    placement: script.placement ?? '',
    requirements: script.requirements ?? '',
    is_universal: script.is_universal,
    game_id: script.game_id ?? '',
    game_name: script.game_name ?? '',
    is_client_side: script.is_client_side,
    is_free: script.is_free,
    is_mobile_compatible: script.is_mobile_compatible,
    is_working: script.is_working,
    is_public: script.is_public_setting,
    is_unlisted: script.is_unlisted,
    has_key_system: script.has_key_system,
    key_system_url: script.key_system_url ?? '',
    script_content: script.script_content,
    declared_capabilities: script.declared_capabilities?.toSorted() ?? null,
    declared_hosts: script.declared_hosts?.join(', ') ?? '',
  }
}

export function isSameValue(a: ScriptValues[FieldName], b: ScriptValues[FieldName]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((item, index) => isSameItem(item, b[index]))
}

function isSameItem(a: string | FormScreenshot, b: string | FormScreenshot | undefined): boolean {
  if (typeof a === 'string' || typeof b !== 'object') return a === b
  return a.image === b.image && a.alt === b.alt
}

/** Whether both have the same cover and the same screenshots, whatever their descriptions. */
export function hasSameImages(a: ScriptValues, b: ScriptValues): boolean {
  if (a.image !== b.image || a.screenshots.length !== b.screenshots.length) return false
  return a.screenshots.every(({ image }, index) => image === b.screenshots[index]?.image)
}

/** The fields that differ, in form order. */
export function changedFields(before: ScriptValues, after: ScriptValues): FieldName[] {
  return FIELD_NAMES.filter((name) => !isSameValue(before[name], after[name]))
}

/** Applies a change and clears fields that no longer apply. */
export function changeValues(values: ScriptValues, change: Partial<ScriptValues>): ScriptValues {
  const changed = { ...values, ...change }
  if (changed.is_universal) changed.game_id = ''
  if (changed.game_id !== values.game_id && change.game_name === undefined) changed.game_name = ''
  if (!changed.has_key_system) changed.key_system_url = ''
  return changed
}

/** The request body without the images. The key link and the game are sent only when they apply. */
export function textBody(values: ScriptValues): Omit<NewScript, 'image' | 'screenshots'> {
  return {
    title: values.title.trim(),
    version: values.version.trim(),
    summary: values.summary.trim() || null,
    description: values.description.trim(),
    tags: values.tags,
    license: isLicense(values.license) ? values.license : null,
    script_type: SCRIPT_TYPES.find((type) => type === values.script_type) ?? null,
    placement: PLACEMENTS.find((name) => name === values.placement) ?? null,
    requirements: values.requirements.trim() || null,
    is_universal: values.is_universal,
    ...(values.is_universal ? {} : gameBody(values)),
    is_client_side: values.is_client_side,
    is_free: values.is_free,
    is_mobile_compatible: values.is_mobile_compatible,
    is_working: values.is_working,
    is_public: values.is_public,
    is_unlisted: values.is_unlisted,
    has_key_system: values.has_key_system,
    ...(values.has_key_system ? { key_system_url: values.key_system_url.trim() || null } : {}),
    script_content: values.script_content,
    ...declarationBody(values),
  }
}

const gameBody = ({ game_id, game_name }: ScriptValues): Pick<NewScript, 'game_id' | 'game_name'> => ({
  game_id: game_id.trim() || null,
  ...(game_name.trim() ? { game_name: game_name.trim() } : {}),
})

/** Nothing for an author who was not asked: an empty declaration says that the code does nothing. */
function declarationBody(values: ScriptValues): Pick<NewScript, 'declared_capabilities' | 'declared_hosts'> {
  if (!values.declared_capabilities) return {}
  return { declared_capabilities: values.declared_capabilities, declared_hosts: readHosts(values.declared_hosts) }
}

/** Uploads an image of a field and returns its URL. */
type Upload = (image: Blob, field: 'image' | 'screenshots') => Promise<string>

const coverUrl = async ({ image }: ScriptValues, upload: Upload): Promise<string> =>
  typeof image === 'string' ? image : upload(image, 'image')

/** Uploads one after the other, because the server processes one image per member at a time. */
async function screenshotsBody({ screenshots }: ScriptValues, upload: Upload): Promise<NewScreenshot[]> {
  const body: NewScreenshot[] = []
  for (const { image, alt } of screenshots) {
    body.push({ image: typeof image === 'string' ? image : await upload(image, 'screenshots'), alt: alt.trim() })
  }
  return body
}

export async function newScriptBody(values: ScriptValues, upload: Upload): Promise<NewScript> {
  const image = await coverUrl(values, upload)
  const screenshots = await screenshotsBody(values, upload)
  return {
    ...textBody(values),
    ...(image ? { image } : {}),
    ...(screenshots.length > 0 ? { screenshots } : {}),
  }
}

/** The changed fields only. */
export async function changeBody(base: ScriptValues, values: ScriptValues, upload: Upload): Promise<ScriptChange> {
  const changed = new Set<string>(changedFields(base, values))
  const entries = Object.entries(textBody(values)).filter(([name]) => changed.has(name))
  const change: ScriptChange = Object.fromEntries(entries)
  // The server validates these fields together with their switch.
  if (changed.has('game_id')) change.is_universal = values.is_universal
  if (changed.has('key_system_url')) change.has_key_system = values.has_key_system
  // A declaration belongs to a version, and has two parts.
  if (changed.has('script_content') || changed.has('declared_capabilities') || changed.has('declared_hosts')) {
    Object.assign(change, declarationBody(values))
  }
  if (changed.has('image')) change.image = await coverUrl(values, upload)
  if (changed.has('screenshots')) change.screenshots = await screenshotsBody(values, upload)
  return change
}

/** The folded fields of the upload form in one line, such as "Universal, client-side, free, public". */
export function describeFolded(values: ScriptValues): string {
  const game = values.game_id.trim()
  const count = values.screenshots.length
  return [
    values.is_universal ? 'Universal' : values.game_name.trim() || (game ? `Game ${game}` : 'Game-specific'),
    values.is_client_side ? 'client-side' : 'FE',
    values.is_free ? 'free' : 'paid',
    values.is_public ? (values.is_unlisted ? 'unlisted' : 'public') : 'private',
    values.has_key_system && 'needs a key',
    !values.is_mobile_compatible && 'not for phones',
    !values.is_working && 'not working',
    values.license,
    values.requirements.trim() && 'with requirements',
    count > 0 && `${count} ${count === 1 ? 'screenshot' : 'screenshots'}`,
  ]
    .filter(Boolean)
    .join(', ')
}
