import { cutCharacters, decodeCode, foldTag, type TextProblem } from '@scriptyard/text'
import { MAX_CODE_BYTES, MAX_SCREENSHOT_ALT_LENGTH, MAX_TAGS, MAX_URL_LENGTH } from '#contract/limits.ts'
import { checkScreenshotAlt, checkScript, findTagError } from '#contract/script-fields.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { changedFields, type FieldErrors, type FieldName, type ScriptValues, textBody } from './values.ts'

type Sentences = Partial<Record<TextProblem['reason'], string>>

/** What the form says instead of the API's sentence. */
const SENTENCES: Partial<Record<string, Sentences>> = {
  title: { empty: 'Enter a title.' },
  version: { empty: 'Enter a version, such as 1.0.0.' },
  description: { empty: 'Describe what the script does.' },
  game_id: { format: "Digits only: the number in the game's URL." },
  key_system_url: {
    length: `URLs can have at most ${fullCount(MAX_URL_LENGTH)} characters.`,
    format: 'Enter a URL starting with https:// or http://.',
  },
  script_content: { empty: 'Add your code.', length: 'The code is over 1 MB. Please shorten it.' },
}

function describeProblem(name: string, problem: TextProblem): string {
  const sentence = SENTENCES[name]?.[problem.reason]
  if (sentence !== undefined) return sentence
  if (problem.reason !== 'length') return problem.message
  return `${fullCount(problem.length)} of ${fullCount(problem.maxLength)} characters. Please shorten it.`
}

/** Whether a field is blank that every script has. */
export const isIncomplete = (errors: FieldErrors): boolean =>
  (['title', 'description', 'script_content'] as const).some((name) => errors[name] === SENTENCES[name]?.empty)

/** Errors that can be found before sending the fields that differ from the saved ones. The server validates them again. */
export function findErrors(values: ScriptValues, saved?: ScriptValues): FieldErrors {
  const changed: FieldName[] | undefined = saved && changedFields(saved, values)
  const isSent = (name: string) => !changed || changed.some((field) => field === name)
  const { problems } = checkScript(textBody(values))
  const errors: FieldErrors = {}
  for (const [name, problem] of Object.entries(problems)) {
    if (isSent(name)) errors[name] = describeProblem(name, problem)
  }
  const screenshots = isSent('screenshots') ? findScreenshotError(values) : undefined
  return { ...errors, ...(screenshots === undefined ? {} : { screenshots }) }
}

/** Why a description of a screenshot is rejected. The form requires one. */
export function findAltError(alt: string): string | undefined {
  const { value, problem } = checkScreenshotAlt(alt)
  if (problem) return describeProblem('screenshots', problem)
  return value === null ? 'Say in a few words what each screenshot shows.' : undefined
}

const findScreenshotError = ({ screenshots }: ScriptValues): string | undefined =>
  screenshots.map(({ alt }) => findAltError(alt)).find((error) => error !== undefined)

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
    const tagError = findTagError(part) ?? (next.length >= MAX_TAGS ? `You can add up to ${MAX_TAGS} tags.` : undefined)
    if (tagError === undefined) next.push(tag)
    else rejected.push(part.trim())
    error = tagError ?? error
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
