import { createHash } from 'node:crypto'
import {
  DEFAULT_VERSION,
  MAX_CHANGELOG_LENGTH,
  MAX_CODE_BYTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_GAME_ID_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_VERSION_LENGTH,
} from '#contract/limits.ts'
import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { foldTag } from '#server/features/catalogue/words.ts'
import { parseLink } from '#server/http/link.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import {
  hasControlCharacters,
  isLongerThan,
  isVisible,
  parseLine,
  parseText,
  type TextRule,
} from '#server/http/text.ts'

/** What an author decides of a script, besides its code and image. */
export interface Properties {
  title: string
  description: string
  version: string
  /** Folded names in their order. */
  tags: string[]
  has_key_system: boolean
  key_system_url: string | null
  is_universal: boolean
  game_id: string | null
  is_client_side: boolean
  is_free: boolean
  is_public: boolean
  is_mobile_compatible: boolean
  is_working: boolean
}

/** What a form gives of them; undefined is left out. */
type PropertyChanges = { [K in keyof Properties]: Properties[K] | undefined }

/** The former state with what is given in its place. A switch that is off takes along what stood behind it. */
export function mergeProperties(former: Properties, given: PropertyChanges): Properties {
  const merged = { ...former }
  const set = <K extends keyof Properties>(key: K, value: Properties[K] | undefined) => {
    if (value !== undefined) merged[key] = value
  }
  for (const key of Object.keys(former) as (keyof Properties)[]) set(key, given[key])
  if (!merged.has_key_system) merged.key_system_url = null
  if (merged.is_universal) merged.game_id = null
  return merged
}

export interface ParsedScript {
  properties: Properties
  code: CodeText
}

export interface ParsedChange {
  properties: PropertyChanges
  code: CodeText | undefined
  changelog: string | null
  /** `updated_at` of the state that was edited, in milliseconds. */
  base: number | undefined
}

const DEFAULTS: Properties = {
  title: '',
  description: '',
  version: DEFAULT_VERSION,
  tags: [],
  has_key_system: false,
  key_system_url: null,
  is_universal: true,
  game_id: null,
  is_client_side: true,
  is_free: true,
  is_public: true,
  is_mobile_compatible: true,
  is_working: true,
}

function read<T, R>(given: T | undefined, reader: (given: T) => R): R | undefined {
  return given === undefined ? undefined : reader(given)
}

/** What stands behind a switch that is off is not looked at. */
function parseProperties(given: Partial<NewScript>, refusals: FieldErrors): PropertyChanges {
  const { has_key_system, is_universal } = given
  return {
    title: read(given.title, (text) => parseLine(text, TITLE, refusals)),
    description: read(given.description, (text) => parseText(text, DESCRIPTION, refusals)),
    version: read(given.version, (text) => parseLine(text, VERSION, refusals)),
    tags: read(given.tags, (tags) => parseTags(tags, refusals)),
    key_system_url:
      has_key_system === false ? null : read(given.key_system_url, (url) => parseKeySystemUrl(url, refusals)),
    game_id: is_universal === true ? null : read(given.game_id, (id) => parseGameId(id, refusals)),
    has_key_system,
    is_universal,
    is_client_side: given.is_client_side,
    is_free: given.is_free,
    is_public: given.is_public,
    is_mobile_compatible: given.is_mobile_compatible,
    is_working: given.is_working,
  }
}

/** A new script as a form gives it, with the defaults. Throws AppError `invalid` that names every wrong field. */
export function parseNewScript(body: NewScript): ParsedScript {
  const refusals = new FieldErrors()
  const { has_key_system = DEFAULTS.has_key_system, is_universal = DEFAULTS.is_universal } = body
  const properties = parseProperties({ ...body, has_key_system, is_universal }, refusals)
  const code = parseCode(body.script_content, refusals)
  refusals.throwIfAny()
  return { properties: mergeProperties(DEFAULTS, properties), code }
}

/** A change as a form gives it; what it leaves out is undefined. Throws AppError `invalid` that names every wrong field. */
export function parseScriptChange(body: ScriptChange): ParsedChange {
  const refusals = new FieldErrors()
  const change = {
    properties: parseProperties(body, refusals),
    code: read(body.script_content, (content) => parseCode(content, refusals)),
    changelog: body.changelog?.trim() ? parseLine(body.changelog, CHANGELOG, refusals) : null,
    base: read(body.base_updated_at, (time) => parseTime(time, 'base_updated_at', refusals)),
  }
  refusals.throwIfAny()
  return change
}

export const TITLE: TextRule = { field: 'title', name: 'The title', maxLength: MAX_TITLE_LENGTH }
export const DESCRIPTION: TextRule = {
  field: 'description',
  name: 'The description',
  maxLength: MAX_DESCRIPTION_LENGTH,
}
const VERSION: TextRule = { field: 'version', name: 'The version', maxLength: MAX_VERSION_LENGTH }
const CHANGELOG: TextRule = { field: 'changelog', name: 'The changelog', maxLength: MAX_CHANGELOG_LENGTH }

/** A link as the URL standard writes it, or null for none. */
function parseKeySystemUrl(given: string | null, refusals: FieldErrors): string | null {
  return parseLink(given, { field: 'key_system_url', name: 'The key system link' }, refusals)?.href ?? null
}

const GAME_ID = new RegExp(`^[0-9]{1,${MAX_GAME_ID_LENGTH}}$`)

function parseGameId(given: string | null, refusals: FieldErrors): string | null {
  const text = given?.trim() ?? ''
  if (!text) return null
  if (!GAME_ID.test(text)) refusals.add('game_id', `The game id must be 1 to ${MAX_GAME_ID_LENGTH} digits.`)
  return text
}

const MAX_TIME_LENGTH = 40

/** A time as this site writes it, in milliseconds. */
function parseTime(given: string, field: string, refusals: FieldErrors): number {
  const time = given.length <= MAX_TIME_LENGTH ? Date.parse(given) : NaN
  if (Number.isNaN(time)) refusals.add(field, 'This must be a time as the script gives it.')
  return time
}

/** A list that stands in a text as JSON; undefined where there is none. */
function parseList(text: string): string[] | undefined {
  if (text.trim() === '') return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

function findFault(name: string): string | undefined {
  if (isLongerThan(name, MAX_TAG_LENGTH)) return `A tag can have at most ${MAX_TAG_LENGTH} characters.`
  // Lists take several tags with commas between them.
  if (name.includes(',')) return 'A tag must not contain a comma.'
  // A JSON text can hold what the request's own JSON may not.
  if (hasControlCharacters(name) || /[\t\n]/.test(name) || !name.isWellFormed() || !isVisible(name))
    return 'A tag must not contain control characters and must have something to read.'
  return undefined
}

/** Tags as lists find them: trimmed, lower-case, without the # that people write before them, each once, in their order. */
function parseTags(given: string[] | string, refusals: FieldErrors): string[] {
  const list = typeof given === 'string' ? parseList(given) : given
  if (!list) {
    refusals.add('tags', 'The tags must be a list of names.')
    return []
  }
  const names = [...new Set(list.map((name) => foldTag(name.trim().replace(/^#+/, ''))).filter(Boolean))]
  if (names.length > MAX_TAGS) refusals.add('tags', `A script can have at most ${MAX_TAGS} tags.`)
  const fault = names.map(findFault).find((sentence) => sentence !== undefined)
  if (fault) refusals.add('tags', fault)
  return names
}

/** A state of the code, with what is known of it by counting. */
export interface CodeText {
  content: string
  sha256: string
  /** Bytes of UTF-8. */
  size: number
}

/** Control characters other than tab, newline and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

/** The code as it is, byte for byte. */
function parseCode(content: string, refusals: FieldErrors): CodeText {
  const size = Buffer.byteLength(content)
  if (size === 0) refusals.add('script_content', 'The code must not be empty.')
  else if (size > MAX_CODE_BYTES) {
    const [most, bytes] = [MAX_CODE_BYTES, size].map((number) => number.toLocaleString('en'))
    refusals.add('script_content', `The code can have at most ${most} bytes; this has ${bytes}.`)
  } else rejectControlCharacters(content, refusals)
  return { content, size, sha256: createHash('sha256').update(content).digest('hex') }
}

function rejectControlCharacters(content: string, refusals: FieldErrors): void {
  const found = CONTROL.exec(content)
  if (!found) return
  const line = content.slice(0, found.index).split('\n').length
  const name = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  refusals.add(
    'script_content',
    `The code must not contain control characters other than tabs and line breaks (${name} in line ${line}).`,
  )
}
