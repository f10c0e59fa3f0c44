import type { Static, TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import type { TLocalizedValidationError } from 'typebox/error'
import { AppError } from './errors.ts'
import { fieldError, labelOf } from './field-errors.ts'

const FORBIDDEN_TEXT = 'contains characters that are not allowed'
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
    case 'type':
      return [field, TYPE_REASONS[String(error.params.type)] ?? 'has the wrong type']
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

const labelIn = ({ properties }: ObjectSchema, field: string): string => properties?.[field]?.title ?? labelOf(field)

const UNKNOWN_FIELD = 'The request has an unknown field.'

/** One sentence per field, with the label that people see: the schema's `title`, or else made from the name. */
function toAppError(errors: TLocalizedValidationError[], schema: ObjectSchema): AppError {
  const fields: Record<string, string> = {}
  for (const error of errors) {
    const isUnknown = error.keyword === 'boolean' || error.keyword === 'additionalProperties'
    const [field, reason] = explain(error)
    if (field) fields[field] ??= isUnknown ? UNKNOWN_FIELD : `${labelIn(schema, field)} ${reason}.`
  }
  const [message = 'The request body is invalid.'] = Object.values(fields)
  return new AppError('invalid', 400, message, { fields })
}

/** Whether a parsed body has text anywhere that PostgreSQL or UTF-8 can't represent. */
function hasForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(hasForbiddenText)
  if (value && typeof value === 'object') return Object.entries(value).some((pair) => pair.some(hasForbiddenText))
  return false
}

function forbiddenTextError(body: unknown, schema: ObjectSchema): AppError {
  const invalid = Object.entries(body ?? {}).filter(([, value]) => hasForbiddenText(value))
  const fields = Object.fromEntries(invalid.map(([name]) => [name, `${labelIn(schema, name)} ${FORBIDDEN_TEXT}.`]))
  const [message = 'The request body is invalid.'] = Object.values(fields)
  return new AppError('invalid', 400, message, { fields })
}

interface PropertySchema {
  const?: string
  enum?: string[]
  title?: string
  maxItems?: number
  anyOf?: PropertySchema[]
}

interface ObjectSchema extends TSchema {
  anyOf?: ObjectSchema[]
  properties?: Record<string, PropertySchema>
  required?: string[]
}

function actionsOf({ properties, required }: ObjectSchema): (string | undefined)[] {
  const { const: only, enum: several = [] } = properties?.['action'] ?? {}
  return [...several, ...(only === undefined ? [] : [only]), ...(required?.includes('action') ? [] : [undefined])]
}

/** Coerces nothing. In a union, `action` selects the schema. The parser throws AppError `invalid` with every wrong field. */
export function bodyReader<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const { anyOf } = schema as ObjectSchema
  return (anyOf ? formsReader(anyOf) : formReader(schema)) as (body: unknown) => Static<T>
}

function formsReader(forms: ObjectSchema[]): (body: unknown) => unknown {
  const readers = new Map(
    forms.flatMap((form) => {
      const read = formReader(form)
      return actionsOf(form).map((action) => [action, read] as const)
    }),
  )
  return (body) => {
    const action = typeof body === 'object' && body !== null && 'action' in body ? body.action : undefined
    const read = action === undefined || typeof action === 'string' ? readers.get(action) : undefined
    if (read) return read(body)
    throw fieldError('action', `must be one of ${[...readers.keys()].filter((name) => name !== undefined).join(', ')}`)
  }
}

/** Checks the lengths of arrays before anything looks at their entries. Throws AppError `invalid`. */
function arrayLengthCheck({ properties = {} }: ObjectSchema): (body: unknown) => void {
  const limits = Object.entries(properties).flatMap(([name, { maxItems, anyOf = [], title }]) => {
    const max = maxItems ?? anyOf.find((variant) => variant.maxItems !== undefined)?.maxItems
    return max === undefined ? [] : [{ name, max, title }]
  })
  return (body) => {
    for (const { name, max, title } of limits) {
      const value = (body as Record<string, unknown> | null | undefined)?.[name]
      if (Array.isArray(value) && value.length > max) throw fieldError(name, `must have at most ${max} entries`, title)
    }
  }
}

/** Compiles a schema when it is first needed: no start of a site waits for its two hundred schemas. */
function compileLazily<T extends TSchema>(schema: T) {
  const compile = () => Compile(schema)
  let validator: ReturnType<typeof compile> | undefined
  return () => (validator ??= compile())
}

function formReader(schema: TSchema): (body: unknown) => unknown {
  const getValidator = compileLazily(schema)
  const checkArrayLengths = arrayLengthCheck(schema)
  return (body) => {
    checkArrayLengths(body)
    // The schema is checked first: it bounds how deep the search for forbidden text goes.
    const validator = getValidator()
    if (!validator.Check(body)) throw toAppError(validator.Errors(body)[1], schema)
    if (hasForbiddenText(body)) throw forbiddenTextError(body, schema)
    return body
  }
}

/** Ignores unknown parameters and empty values; reads numbers from digits. The parser throws AppError `invalid`. */
export function queryReader<T extends TObject>(schema: T): (query: Record<string, unknown>) => Static<T> {
  const getValidator = compileLazily(schema)
  const properties = Object.entries(schema.properties as Record<string, { type?: string; default?: unknown }>)
  return (query) => {
    const read: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const value = query[name]
      if (Array.isArray(value)) throw fieldError(name, 'may appear only once')
      if (value === undefined || value === '') {
        if (property.default !== undefined) read[name] = property.default
        continue
      }
      if (hasForbiddenText(value)) throw fieldError(name, FORBIDDEN_TEXT)
      const isNumeric = property.type === 'integer' || property.type === 'number'
      read[name] = isNumeric && typeof value === 'string' && NUMBER.test(value) ? Number(value) : value
    }
    const validator = getValidator()
    if (validator.Check(read)) return read
    throw toAppError(validator.Errors(read)[1], schema)
  }
}
