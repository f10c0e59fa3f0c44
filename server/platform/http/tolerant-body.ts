// What operations with `tolerant` accept beyond their schema: the forms in which clients of another specification send values.

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  'x-digits'?: boolean
  'x-non-empty'?: boolean
  pattern?: string
  minLength?: number
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** A number as text. */
export const NUMBER = /^-?[0-9]{1,15}(\.[0-9]{1,10})?$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const variantsOf = (schema: Schema): Schema[] => schema.anyOf ?? [schema]

const isNumeric = ({ type }: Schema): boolean => type === 'integer' || type === 'number'

function acceptsText(schema: Schema, text: string): boolean {
  if (schema.const !== undefined) return schema.const === text
  if (schema.enum) return schema.enum.includes(text)
  if (schema.type !== 'string' || text.length < (schema.minLength ?? 0)) return false
  if (text === '' && schema['x-non-empty']) return false
  return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)
}

function normalizeText(text: string, variants: Schema[]): unknown {
  if (variants.some((variant) => acceptsText(variant, text))) return text
  if (text === '') return variants.some(({ type }) => type === 'null') ? null : undefined
  return NUMBER.test(text) && variants.some(isNumeric) ? Number(text) : text
}

function normalizeValue(value: unknown, schema: Schema): unknown {
  const variants = variantsOf(schema)
  if (typeof value === 'string') return normalizeText(value, variants)
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && variants.some((variant) => variant['x-digits']) ? String(value) : value
  }
  if (Array.isArray(value)) {
    const items = variants.find(({ type }) => type === 'array')?.items
    return items ? value.map((item) => normalizeValue(item, items)) : value
  }
  return isObject(value) ? normalizeObject(value, variants.find(({ properties }) => properties) ?? {}) : value
}

function normalizeObject(value: Record<string, unknown>, { properties }: Schema): unknown {
  if (!properties) return value
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  const normalized = known.map(([name, schema]) => [name, normalizeValue(value[name], schema)] as const)
  return Object.fromEntries(normalized.filter(([, each]) => each !== undefined))
}

const LONG_INTEGER = /[[:,\s]\d{16,20}\s*[,}\]]/
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|(?<![\d.eE+-])\d{16,20}(?![\d.eE])/g

/** JSON with integers of 16 to 20 digits as text, because the parser would round them: ids of Discord have 17 or more. */
export function quoteLongIntegers(json: string): string {
  if (!LONG_INTEGER.test(json)) return json
  return json.replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`))
}

/**
 * The body as the schema describes it: without unknown fields, with numbers for digits in text and text for digits in
 * numbers. Empty text counts as absent where the schema does not accept it. Other wrong values stay for the validation.
 */
export function normalizeBody(body: unknown, schema: object): unknown {
  return normalizeValue(body, schema)
}
