import type { Static, TObject, TSchema } from 'typebox'
import Compile from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { AppError } from './errors.ts'

const NUMBER = /^-?[0-9]{1,15}(\.[0-9]{1,10})?$/

const TYPE_REASONS: Record<string, string> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
}

function explain(error: TLocalizedValidationError): [string, string] {
  const field = error.instancePath.split('/')[1] ?? ''
  switch (error.keyword) {
    case 'enum':
      return [field, `must be one of ${error.params.allowedValues.join(', ')}`]
    case 'required':
      return [error.params.requiredProperties[0] ?? field, 'is required']
    case 'boolean':
    case 'additionalProperties':
      return [field, 'is not known here']
    case 'type':
      return [field, TYPE_REASONS[String(error.params.type)] ?? 'has the wrong form']
    case 'minimum':
      return [field, `must be at least ${error.params.limit}`]
    case 'maximum':
      return [field, `must be at most ${error.params.limit}`]
    case 'maxLength':
      return [field, `must have at most ${error.params.limit} characters`]
    case 'maxItems':
      return [field, `must have at most ${error.params.limit} entries`]
    default:
      return [field, error.message]
  }
}

function refuse(errors: TLocalizedValidationError[]): AppError {
  const fields: Record<string, string> = {}
  for (const [field, reason] of errors.map(explain)) if (field) fields[field] ??= reason
  const [first] = Object.entries(fields)
  const sentence = first ? `'${first[0]}' ${first[1]}.` : 'The request does not have the right form.'
  return new AppError('invalid', 400, sentence, { fields })
}

function refuseField(field: string, reason: string): AppError {
  return new AppError('invalid', 400, `'${field}' ${reason}.`, { fields: { [field]: reason } })
}

/** Text that PostgreSQL or UTF-8 cannot hold, anywhere in a parsed body. */
function hasForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(hasForbiddenText)
  if (value && typeof value === 'object') return Object.entries(value).some((pair) => pair.some(hasForbiddenText))
  return false
}

function refuseText(body: unknown): AppError {
  const reason = 'contains characters that are not allowed'
  const wrong = Object.entries(body ?? {}).filter(([, value]) => hasForbiddenText(value))
  const fields = Object.fromEntries(wrong.map(([name]) => [name, reason]))
  return new AppError('invalid', 400, `The request ${reason}.`, { fields })
}

interface ObjectSchema extends TSchema {
  anyOf?: ObjectSchema[]
  properties?: Record<string, { const?: string; enum?: string[] }>
  required?: string[]
}

/** What a form may say its deed is; a form that may leave it out also has undefined. */
function actionsOf({ properties, required }: ObjectSchema): (string | undefined)[] {
  const { const: only, enum: several = [] } = properties?.['action'] ?? {}
  return [...several, ...(only === undefined ? [] : [only]), ...(required?.includes('action') ? [] : [undefined])]
}

/**
 * Reads a body as it is: nothing coerced. Of several forms the one that `action` names counts. Throws AppError `invalid`
 * that names every wrong field.
 */
export function bodyReader<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const { anyOf } = schema as ObjectSchema
  return anyOf ? formsReader<T>(anyOf) : formReader(schema)
}

function formsReader<T extends TSchema>(forms: ObjectSchema[]): (body: unknown) => Static<T> {
  const readers = new Map(
    forms.flatMap((form) => {
      const read = formReader(form) as (body: unknown) => Static<T>
      return actionsOf(form).map((action) => [action, read] as const)
    }),
  )
  return (body) => {
    const action = typeof body === 'object' && body !== null && 'action' in body ? body.action : undefined
    const read = action === undefined || typeof action === 'string' ? readers.get(action) : undefined
    if (read) return read(body)
    throw refuseField('action', `must be one of ${[...readers.keys()].filter((name) => name !== undefined).join(', ')}`)
  }
}

function formReader<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const validator = Compile(schema)
  return (body) => {
    // The form first: what has it is not nested deeper than the schema, so looking through it ends.
    if (!validator.Check(body)) throw refuse(validator.Errors(body))
    if (hasForbiddenText(body)) throw refuseText(body)
    return body
  }
}

/**
 * Reads a query string: known names only, each at most once, numbers from their digits, an empty value as none.
 * Throws AppError `invalid` that names every wrong parameter.
 */
export function queryReader<T extends TObject>(schema: T): (query: Record<string, unknown>) => Static<T> {
  const validator = Compile(schema)
  const properties = Object.entries(schema.properties as Record<string, { type?: string; default?: unknown }>)
  return (query) => {
    const read: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const value = query[name]
      if (Array.isArray(value)) throw refuseField(name, 'may stand only once')
      if (value === undefined || value === '') {
        if (property.default !== undefined) read[name] = property.default
        continue
      }
      if (hasForbiddenText(value)) throw refuseField(name, 'contains characters that are not allowed')
      const isNumeric = property.type === 'integer' || property.type === 'number'
      read[name] = isNumeric && typeof value === 'string' && NUMBER.test(value) ? Number(value) : value
    }
    if (validator.Check(read)) return read
    throw refuse(validator.Errors(read))
  }
}
