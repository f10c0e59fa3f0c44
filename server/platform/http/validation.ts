import { cleanLine, cutCharacters } from '@scriptyard/text'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import type { TLocalizedValidationError } from 'typebox/error'
import { AppError } from './errors.ts'
import { fieldError, invalidField, labelOf } from './field-errors.ts'
import { normalizeBody, NUMBER } from './tolerant-body.ts'

export interface ReaderOptions {
  /** See `Operation.tolerant`. */
  tolerant?: boolean | undefined
}

const FORBIDDEN_TEXT = 'contains characters that are not allowed'

const TYPE_REASONS: Record<string, string> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
}

/** The values of an enum are names for programs, so people do not get to see them. */
function explain(error: TLocalizedValidationError, { tolerant }: ReaderOptions): [string, string] {
  const field = error.instancePath.split('/')[1] ?? ''
  switch (error.keyword) {
    case 'enum':
      return [field, tolerant ? 'has an unknown value' : `must be one of ${error.params.allowedValues.join(', ')}`]
    case 'required':
      return [error.params.requiredProperties[0] ?? field, 'is required']
    case 'type':
      return [field, TYPE_REASONS[String(error.params.type)] ?? 'has the wrong type']
    case 'minimum':
      return [field, `must be at least ${error.params.limit}`]
    case 'maximum':
      return [field, `must be at most ${error.params.limit}`]
    case 'minLength':
      return [field, 'must not be empty']
    case 'maxLength':
      return [field, `must have at most ${error.params.limit} characters`]
    case 'minItems':
      return [field, `must have at least ${error.params.limit === 1 ? '1 entry' : `${error.params.limit} entries`}`]
    case 'maxItems':
      return [field, `must have at most ${error.params.limit} entries`]
    default:
      return [field, 'is not valid']
  }
}

const labelIn = ({ properties }: ObjectSchema, field: string): string => properties?.[field]?.title ?? labelOf(field)

const MAX_NAME_LENGTH = 60

const describeUnknown = (kind: 'field' | 'parameter', name: string): string =>
  `The request has an unknown ${kind}: ${cutCharacters(cleanLine(name.replaceAll(/\p{C}+/gu, ' ')), MAX_NAME_LENGTH)}.`

export const unknownField = (name: string): AppError => invalidField(name, describeUnknown('field', name))

export const unknownParameter = (name: string): AppError => invalidField(name, describeUnknown('parameter', name))

/** The names in a JSON pointer, joined by dots. */
const readPointer = (path: string): string =>
  path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

/** One sentence per field, with the label that people see: the schema's `title`, or else made from the name. */
function toAppError(errors: TLocalizedValidationError[], schema: ObjectSchema, options: ReaderOptions = {}): AppError {
  const fields: Record<string, string> = {}
  for (const error of errors) {
    // The error of an unknown field comes twice: with the path of its object, and with its own.
    if (error.keyword === 'additionalProperties') continue
    const [field, reason] = explain(error, options)
    const isUnknown = error.keyword === 'boolean'
    if (field) {
      fields[field] ??= isUnknown
        ? describeUnknown('field', readPointer(error.instancePath))
        : `${labelIn(schema, field)} ${reason}.`
    }
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

/**
 * Coerces nothing, unless it is tolerant. In a union, `action` selects the schema. The parser throws AppError `invalid` with
 * every wrong field.
 */
export function bodyReader<T extends TSchema>(schema: T, options: ReaderOptions = {}): (body: unknown) => Static<T> {
  const { anyOf } = schema as ObjectSchema
  return (anyOf ? formsReader(anyOf, options) : formReader(schema, options)) as (body: unknown) => Static<T>
}

function formsReader(forms: ObjectSchema[], options: ReaderOptions): (body: unknown) => unknown {
  const readers = new Map(
    forms.flatMap((form) => {
      const read = formReader(form, options)
      return actionsOf(form).map((action) => [action, read] as const)
    }),
  )
  return (body) => {
    const input = typeof body === 'object' && body !== null && 'action' in body ? body.action : undefined
    const action = options.tolerant && input === '' ? undefined : input
    const read = action === undefined || typeof action === 'string' ? readers.get(action) : undefined
    if (read) return read(body)
    throw invalidField('action', action === undefined ? 'Choose an action.' : 'This action does not exist.')
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

function formReader(schema: TSchema, options: ReaderOptions): (body: unknown) => unknown {
  const getValidator = compileLazily(schema)
  const checkArrayLengths = arrayLengthCheck(schema)
  return (input) => {
    checkArrayLengths(input)
    const body = options.tolerant ? normalizeBody(input, schema) : input
    // The schema is checked first: it bounds how deep the search for forbidden text goes.
    const validator = getValidator()
    if (!validator.Check(body)) throw toAppError(validator.Errors(body)[1], schema, options)
    if (hasForbiddenText(body)) throw forbiddenTextError(body, schema)
    return body
  }
}

/** The schema of a query without parameters. */
export const NO_PARAMETERS = Type.Object({})

/**
 * Ignores empty values, and unknown parameters only if it is tolerant; reads numbers from digits. The parser throws AppError
 * `invalid`.
 */
export function queryReader<T extends TObject>(
  schema: T,
  options: ReaderOptions = {},
): (query: Record<string, unknown>) => Static<T> {
  const getValidator = compileLazily(schema)
  const properties = Object.entries(schema.properties as Record<string, { type?: string; default?: unknown }>)
  return (query) => {
    if (!options.tolerant) requireKnown(query, schema.properties)
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
    throw toAppError(validator.Errors(read)[1], schema, options)
  }
}

function requireKnown(query: Record<string, unknown>, known: object): void {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw unknownParameter(unknown)
}
