/**
 * What the fields of a script may contain, beyond their types in `NewScript` and `ScriptChange`. The server rejects what
 * `checkScript` finds, and the form shows it before it is sent. It imports no schema library: the browser downloads this file.
 */

import {
  type Checked,
  checkLink,
  checkText,
  cleanLine,
  codeProblem,
  foldTag,
  isBlank,
  isLongerThan,
  normalizeCode,
  positionOfControl,
  type TextProblem,
  type TextRule,
} from '@scriptyard/text'
import { type CapabilityId, CAPABILITY_IDS, MAX_DECLARED_HOSTS, MAX_HOST_LENGTH } from './behavior-names.ts'
import {
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  GAME_ID_PATTERN,
  MAX_GAME_ID_LENGTH,
  MAX_GAME_NAME_LENGTH,
  MAX_REQUIREMENTS_LENGTH,
  MAX_SCREENSHOT_ALT_LENGTH,
  MAX_SUBJECT_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from './limits.ts'
import type { NewScript, ScriptChange } from './script-input.ts'

const TEXTS = {
  title: { kind: 'line', label: 'Title', maxLength: MAX_TITLE_LENGTH, isRequired: true },
  summary: { kind: 'line', label: 'Summary', maxLength: MAX_SUMMARY_LENGTH },
  description: { kind: 'text', label: 'Description', maxLength: MAX_DESCRIPTION_LENGTH, isRequired: true },
  version: { kind: 'line', label: 'Version', maxLength: MAX_VERSION_LENGTH, isRequired: true },
  requirements: { kind: 'text', label: 'Requirements', maxLength: MAX_REQUIREMENTS_LENGTH },
  changelog: { kind: 'text', label: 'Changelog', maxLength: MAX_CHANGELOG_LENGTH },
  game_name: { kind: 'line', label: 'Game name', maxLength: MAX_GAME_NAME_LENGTH },
} satisfies Record<string, TextRule>

const KEY_LINK = { label: 'Key link', maxLength: MAX_URL_LENGTH }
const SCREENSHOT_ALT: TextRule = {
  kind: 'line',
  label: 'Screenshot descriptions',
  maxLength: MAX_SCREENSHOT_ALT_LENGTH,
}

/** The fields that this file checks. Images need the store of the server. */
export type ScriptFields = Omit<Partial<NewScript> & Pick<ScriptChange, 'changelog'>, 'image' | 'screenshots'>
type FieldName = keyof ScriptFields
export type ScriptProblems = Partial<Record<FieldName, TextProblem>>

/** The fields as they are stored; undefined where they were not sent. */
export type CheckedFields = ReturnType<typeof checkScript>['fields']

/** Checks the fields that were sent. A field whose switch is off isn't checked. */
export function checkScript(input: ScriptFields) {
  const { has_key_system, is_universal } = input
  const problems: ScriptProblems = {}
  const check = <T, R>(field: FieldName, raw: T | undefined, checkRaw: (raw: T) => Checked<R>): R | undefined => {
    if (raw === undefined) return undefined
    const { value, problem } = checkRaw(raw)
    if (problem) problems[field] = problem
    return value
  }
  const checkRequired = (name: 'title' | 'description' | 'version') =>
    check(name, input[name], (raw) => checkText(raw, TEXTS[name]))
  const checkOptional = (name: 'summary' | 'requirements' | 'game_name') =>
    check(name, input[name], (raw) => checkOptionalText(raw, TEXTS[name]))
  const fields = {
    title: checkRequired('title'),
    summary: checkOptional('summary'),
    description: checkRequired('description'),
    version: checkRequired('version'),
    tags: check('tags', input.tags, checkTags),
    key_system_url: has_key_system === false ? null : check('key_system_url', input.key_system_url, checkKeyLink),
    game_id: is_universal === true ? null : check('game_id', input.game_id, checkGameId),
    game_name: is_universal === true ? null : checkOptional('game_name'),
    license: input.license,
    script_type: input.script_type,
    placement: input.placement,
    requirements: checkOptional('requirements'),
    has_key_system,
    is_universal,
    is_client_side: input.is_client_side,
    is_free: input.is_free,
    is_public: input.is_public,
    is_unlisted: input.is_unlisted,
    is_mobile_compatible: input.is_mobile_compatible,
    is_working: input.is_working,
    script_content: check('script_content', input.script_content, checkCode),
    declared_capabilities: check('declared_capabilities', input.declared_capabilities, checkCapabilities),
    declared_hosts: check('declared_hosts', input.declared_hosts, checkHosts),
    changelog: check('changelog', input.changelog, checkChangelog),
  }
  return { fields, problems }
}

const formatProblem = (message: string): TextProblem => ({ reason: 'format', message })

/** Null for blank text. */
function checkOptionalText(raw: string | null, rule: TextRule): Checked<string | null> {
  const { value, problem } = checkText(raw ?? '', rule)
  return { value: isBlank(value) ? null : value, problem }
}

/** The notes on a version: their first line, cleaned as one, and the lines below it, null if there are none. */
export function splitChangelog(changelog: string): { subject: string; details: string | null } {
  const [subject = '', ...lines] = changelog.split('\n')
  return { subject: cleanLine(subject), details: lines.join('\n').trim() || null }
}

function checkChangelog(raw: string | null): Checked<string | null> {
  const checked = checkOptionalText(raw, TEXTS.changelog)
  if (checked.problem || !isLongerThan(splitChangelog(checked.value ?? '').subject, MAX_SUBJECT_LENGTH)) return checked
  const message = `The first line of the changelog can have at most ${MAX_SUBJECT_LENGTH} characters. Add details below it.`
  return { ...checked, problem: formatProblem(message) }
}

/** The name that a moderator gives a game. */
export const checkGameName = (raw: string): Checked<string> => checkText(raw, { ...TEXTS.game_name, isRequired: true })

/** Null for a text made from the title. */
export const checkScreenshotAlt = (raw: string | null | undefined): Checked<string | null> =>
  checkOptionalText(raw ?? null, SCREENSHOT_ALT)

function checkKeyLink(raw: string | null): Checked<string | null> {
  const { value, problem } = checkLink(raw ?? '', KEY_LINK)
  return { value: value?.href ?? null, problem }
}

const GAME_ID = new RegExp(GAME_ID_PATTERN)

function checkGameId(raw: string | null): Checked<string | null> {
  const value = raw?.trim() || null
  const isValid = value === null || GAME_ID.test(value)
  return { value, problem: isValid ? undefined : formatProblem(`Game ID must be 1 to ${MAX_GAME_ID_LENGTH} digits.`) }
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

/** Why a name cannot be a tag. */
export function findTagError(raw: string): string | undefined {
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
function checkTags(raw: string[] | string): Checked<string[]> {
  const list = typeof raw === 'string' ? parseNames(raw) : raw
  if (!list) return { value: [], problem: formatProblem('Tags must be a list of names.') }
  const entered = list.filter((name) => /[^#\s]/.test(name))
  const value = [...new Set(entered.map(foldTag))]
  const error =
    value.length > MAX_TAGS
      ? `A script can have at most ${MAX_TAGS} tags.`
      : entered.map(findTagError).find((message) => message !== undefined)
  return { value, problem: error === undefined ? undefined : formatProblem(error) }
}

/** The code as it is stored. */
function checkCode(raw: string): Checked<string> {
  const value = normalizeCode(raw)
  return { value, problem: codeProblem(value) }
}

/** Distinct capabilities in the order of the catalogue. */
function checkCapabilities(raw: string[]): Checked<CapabilityId[]> {
  const ids = new Set(raw)
  const value = CAPABILITY_IDS.filter((id) => ids.has(id))
  const isKnown = value.length === ids.size
  return { value, problem: isKnown ? undefined : formatProblem('Choose what the script does from the list.') }
}

/** Distinct hosts in lower case. */
function checkHosts(raw: string[]): Checked<string[]> {
  const hosts = new Set(raw.filter((text) => !isBlank(text)).map((text) => parseHost(text) ?? ''))
  const value = [...hosts]
  if (hosts.has('')) return { value, problem: formatProblem('Enter each server as a name, such as api.example.com.') }
  const isTooLong = hosts.size > MAX_DECLARED_HOSTS
  return { value, problem: isTooLong ? formatProblem(`List at most ${MAX_DECLARED_HOSTS} servers.`) : undefined }
}

const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/

/** The host of a name or URL in lower case, without port, in ASCII; null if it is not one. */
function parseHost(raw: string): string | null {
  const text = raw.trim()
  if (text.length > MAX_URL_LENGTH || /[\p{Cc}\s]/u.test(text)) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase().replace(/\.$/, '') : ''
  return host.length <= MAX_HOST_LENGTH && HOST.test(host) ? host : null
}
