import { codeProblem, foldTag, isBlank, isLongerThan, normalizeCode, positionOfControl } from '@scriptyard/text'
import { createHash } from 'node:crypto'
import { type CapabilityId, CAPABILITY_IDS, MAX_DECLARED_HOSTS, MAX_HOST_LENGTH } from '#contract/behavior-names.ts'
import {
  DEFAULT_VERSION,
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_GAME_ID_LENGTH,
  MAX_REQUIREMENTS_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from '#contract/limits.ts'
import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import {
  ifDefined,
  parseLine,
  parseLink,
  parseOptionalLine,
  parseOptionalText,
  parseText,
  type TextRule,
} from '#server/platform/http/text.ts'
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
  code: CodeText
  declaration: Declaration
  screenshots: ParsedScreenshot[]
}

export interface ParsedChange {
  properties: PropertyChanges
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
  is_mobile_compatible: true,
  is_working: true,
}

const TITLE: TextRule = { field: 'title', maxLength: MAX_TITLE_LENGTH }
const SUMMARY: TextRule = { field: 'summary', maxLength: MAX_SUMMARY_LENGTH }
const DESCRIPTION: TextRule = { field: 'description', maxLength: MAX_DESCRIPTION_LENGTH }
const VERSION: TextRule = { field: 'version', maxLength: MAX_VERSION_LENGTH }
const CHANGELOG: TextRule = { field: 'changelog', maxLength: MAX_CHANGELOG_LENGTH }
const REQUIREMENTS: TextRule = { field: 'requirements', maxLength: MAX_REQUIREMENTS_LENGTH }
const KEY_SYSTEM_URL = { field: 'key_system_url', label: 'Key link' }
const GAME_ID = new RegExp(`^[0-9]{1,${MAX_GAME_ID_LENGTH}}$`)
const MAX_TIME_LENGTH = 40

export function parseNewScript(body: NewScript): ParsedScript {
  const errors = new FieldErrors()
  const { has_key_system = DEFAULTS.has_key_system, is_universal = DEFAULTS.is_universal } = body
  const properties = parseProperties({ ...body, has_key_system, is_universal }, errors)
  const code = parseCode(body.script_content, errors)
  const declaration = parseDeclaration(body, errors)
  const screenshots = parseScreenshots(body.screenshots ?? [], errors)
  errors.throwIfAny()
  return { properties: mergeProperties(DEFAULTS, properties), code, declaration, screenshots }
}

export function parseScriptChange(body: ScriptChange): ParsedChange {
  const errors = new FieldErrors()
  const change = {
    properties: parseProperties(body, errors),
    code: ifDefined(body.script_content, (content) => parseCode(content, errors)),
    declaration: parseDeclaration(body, errors),
    changelog: parseOptionalLine(body.changelog, CHANGELOG, errors),
    screenshots: ifDefined(body.screenshots, (list) => parseScreenshots(list, errors)),
    successor: body.successor_slug,
    base: ifDefined(body.base_updated_at, (time) => parseTime(time, 'base_updated_at', errors)),
  }
  errors.throwIfAny()
  return change
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

/** A field whose switch is off isn't validated. */
function parseProperties(input: Partial<NewScript>, errors: FieldErrors): PropertyChanges {
  const { has_key_system, is_universal } = input
  return {
    title: ifDefined(input.title, (text) => parseLine(text, TITLE, errors)),
    summary: ifDefined(input.summary, (text) => parseOptionalLine(text, SUMMARY, errors)),
    description: ifDefined(input.description, (text) => parseText(text, DESCRIPTION, errors)),
    version: ifDefined(input.version, (text) => parseLine(text, VERSION, errors)),
    tags: ifDefined(input.tags, (tags) => parseTags(tags, errors)),
    key_system_url:
      has_key_system === false
        ? null
        : ifDefined(input.key_system_url, (url) => parseLink(url, KEY_SYSTEM_URL, errors)?.href ?? null),
    game_id: is_universal === true ? null : ifDefined(input.game_id, (id) => parseGameId(id, errors)),
    license: input.license,
    script_type: input.script_type,
    placement: input.placement,
    requirements: ifDefined(input.requirements, (text) => parseOptionalText(text, REQUIREMENTS, errors)),
    has_key_system,
    is_universal,
    is_client_side: input.is_client_side,
    is_free: input.is_free,
    is_public: input.is_public,
    is_mobile_compatible: input.is_mobile_compatible,
    is_working: input.is_working,
  }
}

function parseGameId(raw: string | null, errors: FieldErrors): string | null {
  const text = raw?.trim() ?? ''
  if (!text) return null
  if (!GAME_ID.test(text)) errors.add('game_id', `Game ID must be 1 to ${MAX_GAME_ID_LENGTH} digits.`)
  return text
}

/** Milliseconds since 1970 of a time as the API writes it. */
function parseTime(raw: string, field: string, errors: FieldErrors): number {
  const time = raw.length <= MAX_TIME_LENGTH ? Date.parse(raw) : NaN
  if (Number.isNaN(time)) errors.add(field, "This must be the script's updated_at.")
  return time
}

/** A JSON array of strings; undefined if the text is anything else. */
function parseNames(text: string): string[] | undefined {
  if (text.trim() === '') return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

function findTagError(raw: string): string | undefined {
  const name = foldTag(raw)
  if (isLongerThan(name, MAX_TAG_LENGTH)) return `Tags can have at most ${MAX_TAG_LENGTH} characters.`
  // Searches take several tags separated by commas.
  if (name.includes(',')) return "Tags can't contain commas."
  // Tags sent as JSON text aren't covered by the check of the request body.
  if (positionOfControl(raw, 'line') !== undefined || !raw.isWellFormed())
    return "Tags can't contain control characters."
  return isBlank(name) ? "Tags can't be empty." : undefined
}

/** Distinct folded tags in their order. Takes an array or its JSON. */
function parseTags(raw: string[] | string, errors: FieldErrors): string[] {
  const list = typeof raw === 'string' ? parseNames(raw) : raw
  if (!list) {
    errors.add('tags', 'Tags must be a list of names.')
    return []
  }
  const entered = list.filter((name) => /[^#\s]/.test(name))
  const names = [...new Set(entered.map(foldTag))]
  if (names.length > MAX_TAGS) errors.add('tags', `A script can have at most ${MAX_TAGS} tags.`)
  const error = entered.map(findTagError).find((message) => message !== undefined)
  if (error) errors.add('tags', error)
  return names
}

type DeclarationFields = Pick<NewScript, 'declared_capabilities' | 'declared_hosts'>

/** Distinct capabilities in the order of the catalogue, and distinct hosts in lower case. */
export function parseDeclaration(body: DeclarationFields, errors: FieldErrors): Declaration {
  return {
    capabilities: ifDefined(body.declared_capabilities, (ids) => parseCapabilities(ids, errors)),
    hosts: ifDefined(body.declared_hosts, (hosts) => parseHosts(hosts, errors)),
  }
}

function parseCapabilities(raw: string[], errors: FieldErrors): CapabilityId[] {
  const ids = new Set(raw)
  const known = CAPABILITY_IDS.filter((id) => ids.has(id))
  if (known.length < ids.size) errors.add('declared_capabilities', 'Choose what the script does from the list.')
  return known
}

function parseHosts(raw: string[], errors: FieldErrors): string[] {
  const hosts = new Set(raw.filter((text) => !isBlank(text)).map((text) => parseHost(text) ?? ''))
  if (hosts.has('')) errors.add('declared_hosts', 'Enter each server as a name, such as api.example.com.')
  if (hosts.size > MAX_DECLARED_HOSTS) errors.add('declared_hosts', `List at most ${MAX_DECLARED_HOSTS} servers.`)
  return [...hosts]
}

const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/

/** The host of a name or URL in lower case, without port, in ASCII; null if it is not one. */
function parseHost(raw: string): string | null {
  const text = raw.trim()
  if (text.length > MAX_URL_LENGTH || /[\p{Cc}\s]/u.test(text)) return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? ''
  return host.length <= MAX_HOST_LENGTH && HOST.test(host) ? host : null
}

/** The code as it is stored. */
export function parseCode(raw: string, errors: FieldErrors): CodeText {
  const content = normalizeCode(raw)
  const error = codeProblem(content)
  if (error) errors.add('script_content', error)
  return { content, size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') }
}
