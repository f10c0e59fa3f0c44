import { existsSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { decodeCode, MAX_CODE_BYTES } from '@scriptyard/text'
import path from 'node:path'
import { manifestError } from './errors.ts'

export const MANIFEST_FILE = 'scriptyard.json'
const MAX_MANIFEST_BYTES = 65_536

type Kind = 'text' | 'flag' | 'list'

/** The fields that describe a script, with their kinds. The site checks their contents. */
const SCRIPT_FIELDS = {
  title: 'text',
  summary: 'text',
  description: 'text',
  version: 'text',
  tags: 'list',
  license: 'text',
  script_type: 'text',
  placement: 'text',
  requirements: 'text',
  key_system_url: 'text',
  game_id: 'text',
  game_name: 'text',
  has_key_system: 'flag',
  is_universal: 'flag',
  is_client_side: 'flag',
  is_free: 'flag',
  is_public: 'flag',
  is_unlisted: 'flag',
  is_mobile_compatible: 'flag',
  is_working: 'flag',
  declared_capabilities: 'list',
  declared_hosts: 'list',
} as const satisfies Record<string, Kind>

const OWN_FIELDS = { $schema: 'text', site: 'text', slug: 'text', file: 'text' } as const satisfies Record<string, Kind>
/** All fields of a manifest with their kinds, as in scriptyard.schema.json. */
export const FIELDS: Readonly<Record<string, Kind>> = { ...OWN_FIELDS, ...SCRIPT_FIELDS }
const REQUIRED = ['site', 'file', 'title', 'description'] as const

/** A manifest that was read. `script` has the fields that the site receives. */
export interface Manifest {
  folder: string
  /** Origin of the site, without a slash at the end. */
  site: string
  slug: string | undefined
  /** Path of the code, relative to the folder. */
  file: string
  script: Record<string, unknown>
}

const CHECKS: Record<Kind, { isValid: (value: unknown) => boolean; name: string }> = {
  text: { isValid: (value) => typeof value === 'string', name: 'a text' },
  flag: { isValid: (value) => typeof value === 'boolean', name: 'true or false' },
  list: {
    isValid: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    name: 'a list of texts',
  },
}

/** Reads the manifest of a folder. Throws CliError `manifest`. */
export function readManifest(folder: string): Manifest {
  const target = path.join(folder, MANIFEST_FILE)
  if (!existsSync(target)) throw manifestError(`There is no ${MANIFEST_FILE} here. Run scriptyard init to create one.`)
  const values = parse(readText(folder, MANIFEST_FILE, MAX_MANIFEST_BYTES))
  for (const [name, value] of Object.entries(values)) {
    const kind = FIELDS[name]
    if (!kind) throw manifestError(`${MANIFEST_FILE} has an unknown field, ${name}.`)
    if (!CHECKS[kind].isValid(value)) throw manifestError(`In ${MANIFEST_FILE}, ${name} must be ${CHECKS[kind].name}.`)
  }
  for (const name of REQUIRED) {
    if (!values[name]) throw manifestError(`In ${MANIFEST_FILE}, ${name} is missing.`)
  }
  const script = Object.fromEntries(Object.entries(values).filter(([name]) => name in SCRIPT_FIELDS))
  const { site, slug, file } = values as Record<string, string>
  return { folder, site: parseSite(site ?? ''), slug: slug || undefined, file: file ?? '', script }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The sentence below covers it.
  }
  throw manifestError(`${MANIFEST_FILE} is not a JSON object.`)
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The origin of a site. Only https, except on this computer, because the token is sent there. Throws CliError `manifest`. */
export function parseSite(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!url || !isSafe) throw manifestError('The site must be an address that starts with https://.')
  return url.origin
}

/** The code that the manifest names, as the site stores it. Throws CliError `manifest`. */
export const readCode = ({ folder, file }: Manifest): string => readText(folder, file, MAX_CODE_BYTES)

/**
 * Reads a text file inside a folder. A build may run manifests of strangers, so the path must not lead outside, neither by itself nor by
 * a symbolic link. Throws CliError `manifest`.
 */
export function readText(folder: string, file: string, maxBytes: number): string {
  const parts = file.split(/[/\\]/)
  if (file === '' || path.isAbsolute(file) || path.win32.isAbsolute(file) || parts.includes('..')) {
    throw manifestError(`${file || 'The file'} must be a path inside this folder.`)
  }
  const target = path.join(folder, file)
  if (!existsSync(target)) throw manifestError(`${file} does not exist.`)
  const root = realpathSync(folder)
  const real = realpathSync(target)
  // The root of a file system ends with a separator already.
  const prefix = root.endsWith(path.sep) ? root : root + path.sep
  if (!real.startsWith(prefix)) throw manifestError(`${file} leads outside this folder.`)
  const { size } = lstatSync(real)
  if (!lstatSync(real).isFile()) throw manifestError(`${file} is not a file.`)
  if (size > maxBytes) throw manifestError(`${file} is too large: ${size} bytes, and at most ${maxBytes} are allowed.`)
  try {
    return decodeCode(readFileSync(real))
  } catch {
    throw manifestError(`${file} is not UTF-8 text.`)
  }
}

/** Writes the slug of a new script into the manifest, and leaves everything else as it is, also if it is interrupted. */
export function writeSlug({ folder }: Manifest, slug: string): void {
  const target = realpathSync(path.join(folder, MANIFEST_FILE))
  const temporary = `${target}.${process.pid}`
  try {
    writeFileSync(temporary, insertSlug(readFileSync(target, 'utf8'), slug), { mode: lstatSync(target).mode })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A string of JSON, or a bracket. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]/g

/** Replaces the slug in the text of a JSON object, or adds it as the first property in the layout of the others. */
export function insertSlug(text: string, slug: string): string {
  const value = JSON.stringify(slug)
  let depth = 0
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && token === '"slug"') {
      const end = index + token.length
      const rest = text.slice(end).replace(/^(\s*:\s*)"(?:[^"\\]|\\.)*"/, (_all, colon: string) => colon + value)
      if (/^\s*:/.test(rest)) return text.slice(0, end) + rest
    }
  }
  return text.replace(/\{(\s*)/, (start, space: string) => `${start}"slug": ${value},${space || ' '}`)
}

export interface NewManifest {
  site: string
  file: string
  title: string
}

/** Creates a manifest. Throws CliError `manifest` if there is one. */
export function createManifest(folder: string, { site, file, title }: NewManifest): void {
  const target = path.join(folder, MANIFEST_FILE)
  if (existsSync(target)) throw manifestError(`${MANIFEST_FILE} exists already.`)
  const origin = parseSite(site)
  const $schema = `${origin}/scriptyard.schema.json`
  const values = { $schema, site: origin, file, title, description: `${title}.`, tags: [] }
  writeFileSync(target, `${JSON.stringify(values, null, 2)}\n`)
}
