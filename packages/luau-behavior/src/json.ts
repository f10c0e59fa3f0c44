import { listOf } from './pure.ts'
import { Table, textsOf, type Value } from './values.ts'

/** Known texts of a table that is encoded, so that URLs and secrets in it are seen. */
export function encodedParts(value: Value): string[] | undefined {
  if (!(value instanceof Table)) return undefined
  const texts = [...value.entries.values()].flatMap((entry) => textsOf(entry)).slice(0, 20)
  return texts.length > 0 ? ['', ...texts, ''] : undefined
}

/** The value that a JSON text decodes to, or undefined if it is not JSON. */
export function fromJson(text: string): Value | undefined {
  try {
    return toValue(JSON.parse(Buffer.from(text, 'latin1').toString()))
  } catch {
    return undefined
  }
}

function toValue(json: unknown): Value {
  if (json === null || typeof json === 'number' || typeof json === 'boolean') return json
  if (typeof json === 'string') return Buffer.from(json).toString('latin1')
  if (Array.isArray(json)) return listOf(json.map((item: unknown) => toValue(item)))
  const table = new Table()
  if (typeof json === 'object') for (const [key, value] of Object.entries(json)) table.entries.set(key, toValue(value))
  return table
}
