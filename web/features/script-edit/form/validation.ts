import { countCharacters, cutCharacters, decodeCode, foldTag, isBlank, isLongerThan } from '@scriptyard/text'
import {
  MAX_CODE_BYTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_REQUIREMENTS_LENGTH,
  MAX_SCREENSHOT_ALT_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { utf8Length } from '#web/lib/text.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

const REQUIRED = {
  title: 'Enter a title.',
  description: 'Describe what the script does.',
  script_content: 'Add your code.',
} as const

/** Errors for required fields that are blank. */
export function findMissing(values: ScriptValues): FieldErrors {
  const blank = Object.entries(REQUIRED).filter(([name]) => isBlank(values[name as keyof typeof REQUIRED]))
  return Object.fromEntries(blank)
}

/** Errors that can be found before sending. The server validates everything again. */
export function findErrors(values: ScriptValues): FieldErrors {
  return {
    ...tooLong('title', values.title, MAX_TITLE_LENGTH),
    ...(values.version.trim() === '' ? { version: 'Enter a version, such as 1.0.0.' } : {}),
    ...tooLong('version', values.version, MAX_VERSION_LENGTH),
    ...tooLong('summary', values.summary, MAX_SUMMARY_LENGTH),
    ...tooLong('description', values.description, MAX_DESCRIPTION_LENGTH),
    ...screenshotError(values),
    ...tooLong('requirements', values.requirements, MAX_REQUIREMENTS_LENGTH),
    ...gameError(values),
    ...keyError(values),
    ...(utf8Length(values.script_content) > MAX_CODE_BYTES
      ? { script_content: 'The code is over 1 MB. Please shorten it.' }
      : {}),
    ...findMissing(values),
  }
}

function tooLong(name: string, text: string, limit: number): FieldErrors {
  const length = countCharacters(text.trim())
  if (length <= limit) return {}
  return { [name]: `${fullCount(length)} of ${fullCount(limit)} characters. Please shorten it.` }
}

export const isBadAlt = (alt: string): boolean => isBlank(alt) || isLongerThan(alt.trim(), MAX_SCREENSHOT_ALT_LENGTH)

function screenshotError({ screenshots }: ScriptValues): FieldErrors {
  const bad = screenshots.find(({ alt }) => isBadAlt(alt))
  if (!bad) return {}
  if (isBlank(bad.alt)) return { screenshots: 'Say in a few words what each screenshot shows.' }
  return tooLong('screenshots', bad.alt, MAX_SCREENSHOT_ALT_LENGTH)
}

/** Names that cameras and systems give to files. */
const GENERIC_NAME =
  /^(screen ?shots?|screen ?grab|roblox|image|img|dsc|pxl|photo|picture|untitled|unnamed|capture|snip)\b/i

/** A description of a new screenshot: its file name if that has words, otherwise the script's title. */
export function defaultAlt(fileName: string, title: string): string {
  const name = fileName
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_.\s]+/g, ' ')
    .trim()
  const isDescriptive = name.split(' ').filter((word) => /^\p{L}{2,}$/u.test(word)).length >= 2
  const text =
    isDescriptive && !GENERIC_NAME.test(name)
      ? name.charAt(0).toUpperCase() + name.slice(1)
      : `Screenshot of ${title.trim() || 'the script'}`
  return cutCharacters(text, MAX_SCREENSHOT_ALT_LENGTH)
}

function gameError({ is_universal, game_id }: ScriptValues): FieldErrors {
  if (is_universal || /^[0-9]{0,20}$/.test(game_id.trim())) return {}
  return { game_id: "Digits only: the number in the game's URL." }
}

function keyError({ has_key_system, key_system_url }: ScriptValues): FieldErrors {
  const url = key_system_url.trim()
  if (!has_key_system || url === '') return {}
  if (url.length > MAX_URL_LENGTH)
    return { key_system_url: `URLs can have at most ${fullCount(MAX_URL_LENGTH)} characters.` }
  return isWebUrl(url) ? {} : { key_system_url: 'Enter a URL starting with https:// or http://.' }
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

interface AddedTags {
  tags: string[]
  /** The rejected tags, to be corrected. */
  rest: string
  error: string | undefined
}

/** A comma, also as Chinese and Japanese keyboards type it. */
const COMMA = /[,，、]/

/** Adds the typed tags: split at commas, folded, without duplicates. */
export function addTags(tags: readonly string[], typed: string): AddedTags {
  const next = [...tags]
  const rejected: string[] = []
  let error: string | undefined
  for (const part of typed.split(COMMA)) {
    const tag = foldTag(part)
    if (tag === '' || next.includes(tag)) continue
    if (isLongerThan(tag, MAX_TAG_LENGTH)) error = `Tags can have at most ${MAX_TAG_LENGTH} characters.`
    else if (next.length >= MAX_TAGS) error = `You can add up to ${MAX_TAGS} tags.`
    else {
      next.push(tag)
      continue
    }
    rejected.push(part.trim())
  }
  return { tags: next, rest: rejected.join(', '), error }
}

export const CODE_FILE_TYPES = '.lua,.luau,.txt'

/** The text of a code file, or the reason why it is rejected. */
export async function readCodeFile(file: File): Promise<{ code: string } | { error: string }> {
  if (!/\.(lua|luau|txt)$/i.test(file.name)) return { error: 'Choose a .lua, .luau or .txt file.' }
  if (file.size > MAX_CODE_BYTES) return { error: 'The file is over 1 MB.' }
  try {
    return { code: decodeCode(new Uint8Array(await file.arrayBuffer())) }
  } catch {
    return { error: "The file isn't UTF-8 text." }
  }
}

/** The number of lines as an editor shows it: a trailing line break does not start another line. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return lines
}
