import type { TSchema } from 'typebox'
import type { Random } from './random.ts'

const WORDS = ['esp', 'aimbot', 'farm', 'öl', '脚本', '🎮', 'a', 'script one']
/** Text that parsers, SQL, templates, logs and terminals could take for something else. */
const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  '\u202Etxt.exe',
  '\u200B',
  "' or 1=1 --",
  "'; select pg_sleep(5); --",
  '%27%20or%201=1',
  '\\',
  '%',
  '_%_%_',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  '\r\nSet-Cookie: a=b',
  '\u001B[31m',
  'NaN',
  '-0',
  '1e309',
  'null',
  '__proto__',
  'constructor',
  'true',
  '9'.repeat(40),
  '('.repeat(200),
  'a'.repeat(5000),
  '-'.repeat(20_000),
]
const NUMBERS = [0, -1, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e20, 1e308, -0]
const VALUES: unknown[] = [null, true, false, [], {}, '', 0, [[]], { a: 1 }, [null], [{}], { toString: 1 }]

export function makeText(random: Random): string {
  if (random.chance(0.6)) return random.pick(HOSTILE)
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ')
}

export function makeAnything(random: Random): unknown {
  if (random.chance(0.4)) return makeText(random)
  if (random.chance(0.5)) return random.pick(NUMBERS)
  if (random.chance(0.1)) return makeDeep(1 + random.below(200))
  if (random.chance(0.1)) return Array.from({ length: random.below(2000) }, () => random.pick(VALUES))
  return random.pick(VALUES)
}

function makeDeep(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: TSchema[]
  items?: TSchema
  properties?: Record<string, TSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  format?: string
}

/** Ids that exist in the site, which random numbers would not hit. */
type Ids = readonly number[]

/** A value that a JSON schema allows, with its boundaries. Rules that a schema describes in prose are not known. */
export function makeValid(schema: TSchema, random: Random, ids: Ids): unknown {
  const known = schema as Schema
  if (known.const !== undefined) return known.const
  if (known.enum) return random.pick(known.enum)
  if (known.anyOf) return makeValid(random.pick(known.anyOf), random, ids)
  switch (known.type) {
    case 'object':
      return makeObject(known, random, ids)
    case 'array':
      return makeArray(known, random, ids)
    case 'integer':
    case 'number':
      return makeNumber(known, random, ids)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return makeString(known, random)
    default:
      return makeAnything(random)
  }
}

function makeNumber({ minimum = 0, maximum = 2 ** 31 - 1 }: Schema, random: Random, ids: Ids): number {
  if (random.chance(0.7) && ids.length > 0) return random.pick(ids)
  return random.pick([minimum, maximum, minimum + random.below(Math.min(50, maximum - minimum + 1))])
}

function makeString({ maxLength = 500, format }: Schema, random: Random): string {
  if (format === 'date-time') return new Date(random.below(2 ** 31) * 2000).toISOString()
  return random.chance(0.1) ? 'x'.repeat(Math.min(maxLength, 10_000)) : makeText(random).slice(0, maxLength)
}

function makeArray({ items, maxItems = 5 }: Schema, random: Random, ids: Ids): unknown[] {
  const length = random.chance(0.1) ? Math.min(maxItems, 1000) : random.below(Math.min(5, maxItems + 1))
  return Array.from({ length }, () => (items ? makeValid(items, random, ids) : makeAnything(random)))
}

function makeObject({ properties = {}, required = [] }: Schema, random: Random, ids: Ids): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.5))
  return Object.fromEntries(names.map((name) => [name, makeValid(properties[name] as TSchema, random, ids)]))
}

/** The same object with a field missing, added or wrong. */
export function mutate(value: Record<string, unknown>, random: Random): Record<string, unknown> {
  const names = Object.keys(value)
  const name =
    names.length > 0 && random.chance(0.8)
      ? random.pick(names)
      : random.pick(['id', 'is_admin', '__proto__', 'user_id'])
  if (random.chance(0.2)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
  return { ...value, [name]: makeAnything(random) }
}
