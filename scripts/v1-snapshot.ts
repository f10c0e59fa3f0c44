// The shape of the stable API as text, one line for each parameter and field, and the incompatible changes between two such texts.
import { INCLUDED_SCOPES, TOKEN_SCOPES, type TokenScope } from '#contract/limits.ts'
import type { Site } from '#contract/site.ts'
import { describeV1 } from '#server/features/site/openapi.ts'

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

interface Operation {
  'x-scope'?: TokenScope | 'any'
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Field {
  isOptional: boolean
  /** Alternatives, such as `string 1..100` or `"asc"`. */
  types: string[]
}

interface Shape {
  /** Scopes of API tokens, each of which is sufficient; `any` admits all tokens. */
  scopes: string[]
  /** By location and path, such as `query limit` and `200 scripts[].id`. */
  fields: Map<string, Field>
}

type Shapes = Map<string, Shape>

export function describeShapes(): string {
  const site = { name: '', public_url: '' } as Site
  const { paths } = describeV1({ site, limits: [] }) as {
    paths: Record<string, Record<string, Operation>>
  }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  return routes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, operation }) => writeShape(name, readOperation(operation)))
    .join('\n')
}

/** The scopes by which a token may do what needs this one. */
const scopesWith = (scope: TokenScope): TokenScope[] =>
  TOKEN_SCOPES.filter((each) => each === scope || INCLUDED_SCOPES[each]?.includes(scope))

function readOperation({ 'x-scope': scope, parameters, requestBody, responses }: Operation): Shape {
  const fields: Shape['fields'] = new Map()
  for (const { name, in: part, required, schema } of parameters) collect(fields, `${part} ${name}`, schema, !required)
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    collect(fields, 'body', schema, requestBody?.required === false)
  }
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const [mediaType, { schema }] of Object.entries(content)) {
      collect(fields, mediaType === 'application/json' ? status : `${status} (${mediaType})`, schema, false)
    }
  }
  const scopes = !scope || scope === 'any' ? [scope ?? ''] : scopesWith(scope)
  return { scopes: scopes.filter(Boolean), fields }
}

function collect(fields: Shape['fields'], path: string, schema: Schema, isOptional: boolean): void {
  const variants = schema.anyOf ?? [schema]
  const former = fields.get(path)
  const types = variants.flatMap(typesOf)
  fields.set(path, {
    isOptional: isOptional || former?.isOptional === true,
    types: [...new Set([...(former?.types ?? []), ...types])],
  })
  const objects = variants.filter(({ properties }) => properties)
  for (const variant of variants) {
    if (variant.items) collect(fields, `${path}[]`, variant.items, false)
    const values = Object.values(variant.patternProperties ?? {})
    if (typeof variant.additionalProperties === 'object') values.push(variant.additionalProperties)
    for (const value of values) collect(fields, `${path}{}`, value, false)
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const isInAll = objects.every(({ required }) => required?.includes(name))
      collect(fields, `${path}${path.includes(' ') ? '.' : ' '}${name}`, property, !isInAll || 'default' in property)
    }
  }
}

function typesOf(schema: Schema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value))
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf)
  const { type = 'any', format, pattern, minimum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema
  const [min, max] = [minimum ?? exclusiveMinimum ?? minLength ?? minItems, schema.maximum ?? maxLength ?? maxItems]
  const range = min === undefined && max === undefined ? '' : ` ${min ?? ''}..${max ?? ''}`
  return [`${type}${range}${format ? ` ${format}` : ''}${pattern ? ` /${pattern}/` : ''}`]
}

const SEPARATOR = ' | '

function writeShape(name: string, { scopes, fields }: Shape): string {
  const lines = [...fields].map(
    ([path, { isOptional, types }]) => `  ${path}${isOptional ? '?' : ''}: ${types.join(SEPARATOR)}\n`,
  )
  return `${name}${scopes.length > 0 ? ` [${scopes.join(', ')}]` : ''}\n${lines.join('')}`
}

const HEAD = /^(\S+ \S+)(?: \[(.+)\])?$/
const LINE = /^ {2}(.+?)(\?)?: (.+)$/

function parseShapes(text: string): Shapes {
  const shapes: Shapes = new Map()
  let current: Shape | undefined
  for (const line of text.split('\n')) {
    const [, path, optional, types] = LINE.exec(line) ?? []
    const [, name, scopes = ''] = HEAD.exec(line) ?? []
    if (path && types) current?.fields.set(path, { isOptional: optional === '?', types: types.split(SEPARATOR) })
    else if (name) shapes.set(name, (current = { scopes: scopes.split(', ').filter(Boolean), fields: new Map() }))
  }
  return shapes
}

/** The changes after which a program that was written for `former` may fail, one sentence each. */
export function findBreaks(former: string, current: string): string[] {
  const shapes = parseShapes(current)
  return [...parseShapes(former)].flatMap(([name, shape]) => {
    const now = shapes.get(name)
    return now ? compareShapes(name, shape, now) : [`${name} was removed.`]
  })
}

const isInput = (path: string): boolean => /^(query|path|body)\b/.test(path)

function compareShapes(name: string, former: Shape, current: Shape): string[] {
  const breaks: string[] = []
  const rejected = former.scopes.filter((scope) => !current.scopes.includes(scope) && !current.scopes.includes('any'))
  if (rejected.length > 0) breaks.push(`${name} rejects tokens with the scope ${rejected.join(', ')}.`)
  for (const [path, field] of former.fields) {
    const now = current.fields.get(path)
    const problem = now ? compareFields(path, field, now) : 'was removed'
    if (problem) breaks.push(`${name}: ${path} ${problem}.`)
  }
  for (const [path, { isOptional }] of current.fields) {
    const isNew = !former.fields.has(path) && isInput(path) && !isOptional
    // Within something that is new, it is not asked of former programs.
    if (isNew && (!path.includes('.') || former.fields.has(parentOf(path)))) {
      breaks.push(`${name}: ${path} is new and required.`)
    }
  }
  return breaks
}

const parentOf = (path: string): string => path.replace(/(\.[^.[{]+|\[\]|\{\})$/, '')

function compareFields(path: string, former: Field, current: Field): string | undefined {
  if (isInput(path)) {
    if (former.isOptional && !current.isOptional) return 'is required now'
    const rejected = former.types.filter((type) => !current.types.some((wide) => covers(wide, type)))
    return rejected.length > 0 ? `does not accept ${rejected.join(', ')} any more` : undefined
  }
  if (!former.isOptional && current.isOptional) return 'may be missing now'
  const isEnum = former.types.some(isText)
  const unknown = current.types.filter(
    // New values of an enumeration are additions.
    (type) => !former.types.some((wide) => covers(wide, type)) && !(isEnum && isText(type)),
  )
  const gone = former.types.filter((type) => !current.types.some((now) => covers(now, type) || covers(type, now)))
  const changed = [...unknown, ...gone]
  return changed.length > 0 ? `has another type (${changed.join(', ')})` : undefined
}

const isText = (type: string): boolean => type.startsWith('"')

const TYPE = /^(\w+)(?: (-?[\d.e+-]*?)\.\.(-?[\d.e+-]*))?( [^/ ]\S*)?( \/.+\/)?$/

const limitOf = (text: string | undefined, none: number): number => (text ? Number(text) : none)

/** Whether each value of the type `narrow` is one of the type `wide`. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === 'any') return true
  if (isText(narrow)) return wide === 'string'
  const [a, b] = [TYPE.exec(wide), TYPE.exec(narrow)]
  if (!a || !b) return false
  const isSameType = a[1] === b[1] || (a[1] === 'number' && b[1] === 'integer')
  const isSameForm = (!a[4] || a[4] === b[4]) && (!a[5] || a[5] === b[5])
  const isWider =
    limitOf(a[2], -Infinity) <= limitOf(b[2], -Infinity) && limitOf(a[3], Infinity) >= limitOf(b[3], Infinity)
  return isSameType && isSameForm && isWider
}
