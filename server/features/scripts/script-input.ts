import { createHash } from 'node:crypto'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { DEFAULT_VERSION } from '#contract/limits.ts'
import { type CheckedFields, checkScript, type ScriptFields } from '#contract/script-fields.ts'
import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import { ifDefined } from '#server/platform/http/text.ts'
import { type ParsedScreenshot, parseScreenshots } from './screenshots.ts'

export interface Properties {
  title: string
  /** Null for the first sentence of the description. */
  summary: string | null
  description: string
  version: string
  /** Folded names, in the author's order. */
  tags: string[]
  has_key_system: boolean
  key_system_url: string | null
  license: string | null
  script_type: string | null
  placement: string | null
  requirements: string | null
  is_universal: boolean
  game_id: string | null
  is_client_side: boolean
  is_free: boolean
  is_public: boolean
  /** Lists leave it out. */
  is_unlisted: boolean
  is_mobile_compatible: boolean
  is_working: boolean
}

type PropertyChanges = { [K in keyof Properties]: Properties[K] | undefined }

export interface CodeText {
  content: string
  /** In hexadecimal. */
  sha256: string
  /** In bytes of UTF-8. */
  size: number
}

/** Undefined parts were not sent. */
export interface Declaration {
  capabilities: CapabilityId[] | undefined
  hosts: string[] | undefined
}

export interface ParsedScript {
  properties: Properties
  gameName: string | null
  code: CodeText
  declaration: Declaration
  screenshots: ParsedScreenshot[]
}

export interface ParsedChange {
  properties: PropertyChanges
  /** Null if none was sent. */
  gameName: string | null
  code: CodeText | undefined
  declaration: Declaration
  changelog: string | null
  /** Undefined leaves them unchanged. */
  screenshots: ParsedScreenshot[] | undefined
  /** The slug of the script that replaces this one. */
  successor: string | null | undefined
  /** `updated_at` of the state that was edited, in milliseconds. */
  base: number | undefined
}

const DEFAULTS: Properties = {
  title: '',
  summary: null,
  description: '',
  version: DEFAULT_VERSION,
  tags: [],
  has_key_system: false,
  key_system_url: null,
  license: null,
  script_type: null,
  placement: null,
  requirements: null,
  is_universal: true,
  game_id: null,
  is_client_side: true,
  is_free: true,
  is_public: true,
  is_unlisted: false,
  is_mobile_compatible: true,
  is_working: true,
}

const MAX_TIME_LENGTH = 40

export function parseNewScript(body: NewScript): ParsedScript {
  const errors = new FieldErrors()
  const { has_key_system = DEFAULTS.has_key_system, is_universal = DEFAULTS.is_universal } = body
  const fields = parseFields({ ...body, has_key_system, is_universal }, errors)
  const screenshots = parseScreenshots(body.screenshots ?? [], errors)
  errors.throwIfAny()
  return {
    properties: mergeProperties(DEFAULTS, fields),
    gameName: fields.game_name ?? null,
    code: toCode(fields.script_content ?? ''),
    declaration: toDeclaration(fields),
    screenshots,
  }
}

export function parseScriptChange(body: ScriptChange): ParsedChange {
  const errors = new FieldErrors()
  const fields = parseFields(body, errors)
  const screenshots = ifDefined(body.screenshots, (list) => parseScreenshots(list, errors))
  const base = ifDefined(body.base_updated_at, (time) => parseTime(time, 'base_updated_at', errors))
  errors.throwIfAny()
  return {
    properties: fields,
    gameName: fields.game_name ?? null,
    code: ifDefined(fields.script_content, toCode),
    declaration: toDeclaration(fields),
    changelog: fields.changelog ?? null,
    screenshots,
    successor: body.successor_slug,
    base,
  }
}

function parseFields(input: ScriptFields, errors: FieldErrors): CheckedFields {
  const { fields, problems } = checkScript(input)
  for (const [field, { message }] of Object.entries(problems)) errors.add(field, message)
  return fields
}

export function mergeProperties(former: Properties, changes: PropertyChanges): Properties {
  const merged = { ...former }
  const set = <K extends keyof Properties>(key: K, value: Properties[K] | undefined) => {
    if (value !== undefined) merged[key] = value
  }
  for (const key of Object.keys(former) as (keyof Properties)[]) set(key, changes[key])
  if (!merged.has_key_system) merged.key_system_url = null
  if (merged.is_universal) merged.game_id = null
  return merged
}

/** Milliseconds since 1970 of a time as the API writes it. */
function parseTime(raw: string, field: string, errors: FieldErrors): number {
  const time = raw.length <= MAX_TIME_LENGTH ? Date.parse(raw) : NaN
  if (Number.isNaN(time)) errors.add(field, "This must be the script's updated_at.")
  return time
}

/** The code of a draft and what its author says about it. Throws AppError `invalid`. */
export function parseDraft(body: Pick<NewScript, 'script_content' | 'declared_capabilities' | 'declared_hosts'>) {
  const errors = new FieldErrors()
  const fields = parseFields(body, errors)
  errors.throwIfAny()
  return { code: toCode(fields.script_content ?? ''), declaration: toDeclaration(fields) }
}

const toDeclaration = ({ declared_capabilities, declared_hosts }: CheckedFields): Declaration => ({
  capabilities: declared_capabilities,
  hosts: declared_hosts,
})

function toCode(content: string): CodeText {
  return { content, size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') }
}
