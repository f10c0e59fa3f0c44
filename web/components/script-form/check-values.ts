import {
  MAX_CODE_BYTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { characterCount, utf8Length } from '#web/lib/text-bytes.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

const REQUIRED = {
  title: 'Give the script a title.',
  description: 'Describe what the script does.',
  script_content: 'Put the code of the script here.',
} as const

/** The required fields that are still blank. */
export function findMissing(values: ScriptValues): FieldErrors {
  const blank = Object.entries(REQUIRED).filter(([name]) => values[name as keyof typeof REQUIRED].trim() === '')
  return Object.fromEntries(blank)
}

/** What the server would refuse and the page can already see; the server has the last word. */
export function findErrors(values: ScriptValues): FieldErrors {
  return {
    ...tooLong('title', values.title, MAX_TITLE_LENGTH),
    ...(values.version.trim() === '' ? { version: 'Give the version a name, such as 1.0.0.' } : {}),
    ...tooLong('version', values.version, MAX_VERSION_LENGTH),
    ...tooLong('description', values.description, MAX_DESCRIPTION_LENGTH),
    ...gameError(values),
    ...keyError(values),
    ...(utf8Length(values.script_content) > MAX_CODE_BYTES
      ? { script_content: 'The code is larger than 1 MiB. Take out what it does not need.' }
      : {}),
    ...findMissing(values),
  }
}

function tooLong(name: string, text: string, limit: number): FieldErrors {
  const length = characterCount(text.trim())
  if (length <= limit) return {}
  return { [name]: `At most ${fullCount(limit)} characters; these are ${fullCount(length)}.` }
}

function gameError({ is_universal, game_id }: ScriptValues): FieldErrors {
  if (is_universal || /^[0-9]{0,20}$/.test(game_id.trim())) return {}
  return { game_id: "Digits only: the number in the game's address." }
}

function keyError({ has_key_system, key_system_url }: ScriptValues): FieldErrors {
  const address = key_system_url.trim()
  if (!has_key_system || address === '') return {}
  if (address.length > MAX_URL_LENGTH) return { key_system_url: `At most ${fullCount(MAX_URL_LENGTH)} characters.` }
  return isWebAddress(address) ? {} : { key_system_url: 'An address that begins with https:// or http://.' }
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
