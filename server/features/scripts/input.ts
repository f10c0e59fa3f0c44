import { DEFAULT_VERSION } from '#contract/limits.ts'
import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { type CodeText, readCode } from './code.ts'
import { CHANGELOG, DESCRIPTION, readGameId, readKeySystemUrl, readTime, TITLE, VERSION } from './given-fields.ts'
import { readTags } from './given-tags.ts'
import { type GivenProperties, mergeProperties, type Properties } from './properties.ts'
import { readLine, readText, Refusals } from '#server/http/text.ts'

export interface GivenScript {
  properties: Properties
  code: CodeText
}

export interface GivenChange {
  properties: GivenProperties
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
function readProperties(given: Partial<NewScript>, refusals: Refusals): GivenProperties {
  const { has_key_system, is_universal } = given
  return {
    title: read(given.title, (text) => readLine(text, TITLE, refusals)),
    description: read(given.description, (text) => readText(text, DESCRIPTION, refusals)),
    version: read(given.version, (text) => readLine(text, VERSION, refusals)),
    tags: read(given.tags, (tags) => readTags(tags, refusals)),
    key_system_url:
      has_key_system === false ? null : read(given.key_system_url, (url) => readKeySystemUrl(url, refusals)),
    game_id: is_universal === true ? null : read(given.game_id, (id) => readGameId(id, refusals)),
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
export function readNewScript(body: NewScript): GivenScript {
  const refusals = new Refusals()
  const { has_key_system = DEFAULTS.has_key_system, is_universal = DEFAULTS.is_universal } = body
  const properties = readProperties({ ...body, has_key_system, is_universal }, refusals)
  const code = readCode(body.script_content, refusals)
  refusals.check()
  return { properties: mergeProperties(DEFAULTS, properties), code }
}

/** A change as a form gives it; what it leaves out is undefined. Throws AppError `invalid` that names every wrong field. */
export function readScriptChange(body: ScriptChange): GivenChange {
  const refusals = new Refusals()
  const change = {
    properties: readProperties(body, refusals),
    code: read(body.script_content, (content) => readCode(content, refusals)),
    changelog: body.changelog?.trim() ? readLine(body.changelog, CHANGELOG, refusals) : null,
    base: read(body.base_updated_at, (time) => readTime(time, 'base_updated_at', refusals)),
  }
  refusals.check()
  return change
}
