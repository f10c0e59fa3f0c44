export interface Schema {
  type?: string
  enum?: (string | number)[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxLength?: number
  pattern?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
}

export interface ApiOperation {
  tags: string[]
  summary: string
  'x-access': string
  /** The scope that an API token needs, or `any`. */
  'x-scope'?: string
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** A script that the examples are about, so that they can be run. */
export interface Values {
  id: number
  slug: string
  /** Last part of the URL of a member. */
  author: string
}

/** Values for fields whose schema says too little. */
const BY_NAME: Record<string, unknown> = {
  q: 'camera',
  search: 'camera',
  title: 'Camera shake',
  description: 'Shakes the camera when something explodes.',
  script_content: 'print("Hello")',
  text: 'Thank you, it works.',
  reason: 'It asks for a password.',
  message: 'Hello',
  host: 'example.com',
}

const SHA256 = '^[0-9A-Fa-f]{64}$'

/** A value that fits a schema, as the examples of the API reference use it: required fields only. */
export function exampleOf(schema: Schema, values: Values, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, values, name)
  if (schema.properties) {
    const fields = Object.entries(schema.properties)
    const required = fields.filter(([field]) => schema.required?.includes(field))
    return Object.fromEntries(required.map(([field, inner]) => [field, exampleOf(inner, values, field)]))
  }
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items, values, name)] : []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') {
    return name === 'id' || name === 'script_id' ? values.id : (schema.default ?? Math.max(1, schema.minimum ?? 1))
  }
  if (name === 'slug') return values.slug
  if (name === 'name') return values.author
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  // Text of digits: ids of games, lists of one id, and the key of the draft of a script.
  if (name === 'id' || name === 'ids' || name === 'key') return String(values.id)
  if (schema.pattern === SHA256) return '0'.repeat(64)
  return schema.default ?? BY_NAME[name] ?? (schema.format === 'date-time' ? '2030-01-01T00:00:00.000Z' : 'text')
}

/** The path of an operation with examples of its required parameters. */
export function pathWithExamples(path: string, { parameters }: ApiOperation, values: Values): string {
  const required = parameters.filter((parameter) => parameter.required)
  const example = ({ name, schema }: (typeof required)[number]) => String(exampleOf(schema, values, name))
  const query = new URLSearchParams(
    required.filter((each) => each.in === 'query').map((each) => [each.name, example(each)]),
  )
  let filled = path
  for (const parameter of required) {
    filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(example(parameter)))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}
