// Values of expressions: a known value, a part of Roblox or of an executor, or something unknown of which at least the
// origin is known.
import { hasPower } from './functions.ts'
import { ORIGIN } from './origins.ts'
import type { FunctionNode } from './syntax.ts'

/** `null` is nil. Strings hold bytes. */
export type Value = string | number | boolean | null | Table | Closure | Thread | Library | Instance | Unknown | Union

export class Table {
  readonly entries = new Map<Key, Value>()
  metatable: Table | undefined
  /** What may be at any key that is not in `entries`, once a value was written at an unknown key. */
  other: Value | undefined
  /** What those keys may be. */
  otherKey: Value | undefined
  /** Length of the part from 1 without gaps. */
  length = 0
  /** The branch in which it was made, whose other side does not know it. */
  branch: object | undefined
  /** The number of writes before it was made. */
  born = 0
}

/** The global variables. */
export class Environment extends Table {}

export type Key = string | number | boolean | object

export interface Frame {
  slots: Value[]
  /** The number of writes before the call began. */
  born: number
  /** The branch in which the call began. */
  branch: object | undefined
  parent: Frame | undefined
  varargs: Value[]
  /** Whether there may be more varargs than those. */
  hasMoreVarargs: boolean
  returned: { values: Value[]; rest: Value | undefined }[]
}

/** The frame in which a function is defined, this many functions further out. */
export const frameAt = (frame: Frame, hops: number): Frame => {
  let current = frame
  for (let left = hops; left > 0 && current.parent; left--) current = current.parent
  return current
}

export class Closure {
  readonly fn: FunctionNode
  readonly frame: Frame | undefined
  /** The call that loaded the text that has the function; undefined for the script itself. */
  readonly site: { line: number; endLine: number } | undefined
  constructor(fn: FunctionNode, frame: Frame | undefined, site?: { line: number; endLine: number }) {
    this.fn = fn
    this.frame = frame
    this.site = site
  }
}

/** A coroutine, or the function that resumes it. */
export class Thread {
  readonly body: Value
  /** What it was resumed with so far. */
  args: { values: Value[]; rest: Value | undefined } | undefined
  constructor(body: Value) {
    this.body = body
  }
}

/** A global of Luau, Roblox or an executor, such as `string.char` or `syn.request`. */
export class Library {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}

/** A Roblox object, or a member of one, which may be a property, a child, an event or a method. */
export class Instance {
  readonly className: string
  readonly name: string
  readonly owner: Instance | Unknown | undefined
  readonly origin: number
  constructor(className: string, name = className, owner?: Instance | Unknown, origin = 0) {
    this.className = className
    this.name = name
    this.owner = owner
    this.origin = origin
  }
}

export class Unknown {
  readonly origin: number
  /** The known parts of a string, in order, with an empty place between two of them. */
  readonly parts: readonly string[] | undefined
  /** What the value was made by, for example `HttpGet`. */
  readonly madeBy: string
  /** A URL that the value came from. */
  readonly source: string | undefined
  constructor(origin = 0, parts?: readonly string[], madeBy = '', source?: string) {
    this.origin = origin
    this.parts = parts
    this.madeBy = madeBy
    this.source = source
  }
}

export class Union {
  readonly options: readonly Exclude<Value, Union>[]
  constructor(options: readonly Exclude<Value, Union>[]) {
    this.options = options
  }
}

export const UNKNOWN = new Unknown()
export const unknownOf = (origin: number): Unknown => (origin === 0 ? UNKNOWN : new Unknown(origin))
const MAX_OPTIONS = 8
const MAX_PARTS = 64
/** Longest text that is computed, in bytes. */
export const MAX_TEXT = 1 << 20

export const isConstant = (value: Value): value is string | number | boolean | null =>
  value === null || typeof value !== 'object'

export const optionsOf = (value: Value): readonly Exclude<Value, Union>[] =>
  value instanceof Union ? value.options : [value]

/** Either of two values. More than eight become unknown, with the origins of all. */
export function join(first: Value, second: Value): Value {
  if (isSame(first, second)) return first
  if (first instanceof Union && optionsOf(second).every((option) => has(first.options, option))) return first
  const options = [...optionsOf(first)]
  for (const option of optionsOf(second)) if (!has(options, option)) options.push(option)
  if (options.length > MAX_OPTIONS) {
    const rich = options.filter((option) => option instanceof Library || option instanceof Closure)
    const origin = originsOf(options)
    return rich.length > 0 && rich.length < MAX_OPTIONS
      ? new Union([...rich, new Unknown(origin)])
      : new Unknown(origin)
  }
  return options.length === 1 ? (options[0] ?? null) : new Union(options)
}

function has(options: readonly Value[], value: Value): boolean {
  for (const option of options) if (isSame(option, value)) return true
  return false
}

export function isSame(first: Value, second: Value): boolean {
  if (first === second) return true
  if (first instanceof Union && second instanceof Union)
    return (
      first.options.length === second.options.length && second.options.every((option) => has(first.options, option))
    )
  if (first instanceof Unknown && second instanceof Unknown) {
    return first.origin === second.origin && first.madeBy === second.madeBy && haveSameParts(first.parts, second.parts)
  }
  if (first instanceof Library && second instanceof Library) return first.path === second.path
  if (first instanceof Closure && second instanceof Closure)
    return first.fn === second.fn && first.frame === second.frame
  if (first instanceof Instance && second instanceof Instance) {
    return first.className === second.className && first.name === second.name && first.owner === second.owner
  }
  return false
}

const haveSameParts = (first: Unknown['parts'], second: Unknown['parts']): boolean =>
  first === second ||
  (first !== undefined &&
    second !== undefined &&
    first.length === second.length &&
    first.every((part, index) => part === second[index]))

/** Classes with members that do something outside of the script, which a computed name may choose. */
const SERVICES_WITH_POWER = new Set(
  `DataModel HttpService MarketplaceService TeleportService InsertService RbxAnalyticsService VirtualInputManager
  VirtualUser Chat ExperienceService AssetService HttpRbxApiService ScriptContext`.split(/\s+/),
)

const isPowerful = ({ className, owner }: Instance): boolean =>
  SERVICES_WITH_POWER.has(className) ||
  (className === '' && (owner === undefined || (owner instanceof Instance && hasMembersWithPower(owner))))

const hasMembersWithPower = ({ className }: Instance): boolean =>
  className === 'Player' || SERVICES_WITH_POWER.has(className)

function shallowOrigin(value: Value): number {
  if (value instanceof Unknown) return value.origin
  if (value instanceof Library) return hasPower(value.path) ? ORIGIN.hidden : 0
  if (value instanceof Thread) return originOf(value.body)
  if (!(value instanceof Instance)) return 0
  // A player that becomes text is its name.
  const name = value.className === 'Player' ? ORIGIN.playerName : 0
  return value.origin | name | (isPowerful(value) ? ORIGIN.service : 0)
}

/** Entries of tables of which the origins are read. */
const MAX_VISITED = 4000

/** The origins of a value and of what is in it. */
export function originOf(value: Value): number {
  if (isConstant(value)) return 0
  return value instanceof Table || value instanceof Union
    ? deepOrigin(value, { tables: new Set(), left: MAX_VISITED })
    : shallowOrigin(value)
}

export const originsOf = (values: readonly Value[]): number =>
  values.reduce((bits: number, value) => bits | originOf(value), 0)

function deepOrigin(value: Value, seen: { tables: Set<object>; left: number }): number {
  if (isConstant(value)) return 0
  if (value instanceof Union) return value.options.reduce((bits: number, option) => bits | deepOrigin(option, seen), 0)
  if (value instanceof Environment) return ORIGIN.hidden
  if (!(value instanceof Table)) return shallowOrigin(value)
  if (seen.tables.has(value)) return 0
  seen.tables.add(value)
  let origin = deepOrigin(value.other ?? null, seen) | deepOrigin(value.otherKey ?? null, seen)
  if (value.metatable) origin |= deepOrigin(value.metatable, seen)
  for (const [key, entry] of value.entries) {
    if (--seen.left < 0) break
    origin |= deepOrigin(entry, seen) | (typeof key === 'object' ? shallowOrigin(key as Value) : 0)
  }
  return origin
}

/** Strings of a value that are known, holes of unknown parts as `{}`. */
export function textsOf(value: Value): string[] {
  return optionsOf(value).flatMap((option) => {
    if (typeof option === 'string') return [option]
    return option instanceof Unknown && option.parts ? [option.parts.join('{}')] : []
  })
}

/** Text of a constant as `tostring` and `..` write it; undefined for what has no known text. */
export function toText(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatNumber(value)
  if (value === null) return 'nil'
  return typeof value === 'boolean' ? String(value) : undefined
}

function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return '0'
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** Joins texts. Unknown parts leave a hole and their origins. */
export function concat(values: readonly Value[]): Value {
  const rows = combinations(values) ?? [
    values.map((value) => (value instanceof Union ? new Unknown(originOf(value)) : value)),
  ]
  return rows.map(concatOptions).reduce(join)
}

/** All combinations of the options; undefined if there are more than eight. */
export function combinations(values: readonly Value[]): Value[][] | undefined {
  const count = values.reduce((product: number, value) => product * optionsOf(value).length, 1)
  if (count === 1) return [[...values]]
  if (count > MAX_OPTIONS) return undefined
  return values.reduce<Value[][]>(
    (rows, value) => rows.flatMap((row) => optionsOf(value).map((option) => [...row, option])),
    [[]],
  )
}

function concatOptions(values: readonly Value[]): Value {
  const parts = ['']
  let origin = 0
  let source: string | undefined
  const append = (text: string) => {
    parts[parts.length - 1] += text
  }
  for (const value of values) {
    const text = typeof value === 'boolean' || value === null ? undefined : toText(value)
    if (text !== undefined) append(text)
    else if (value instanceof Unknown && value.parts) {
      const [first = '', ...rest] = value.parts
      append(first)
      parts.push(...rest)
      origin |= value.origin
    } else {
      parts.push('')
      origin |= originOf(value)
    }
    if (value instanceof Unknown) source ??= value.source
  }
  const isLong = parts.reduce((length, part) => length + part.length, 0) > MAX_TEXT
  if (isLong) return new Unknown(origin, undefined, 'text', source)
  if (parts.length === 1) return parts[0] ?? ''
  return new Unknown(origin, parts.length > MAX_PARTS ? [...parts.slice(0, MAX_PARTS - 1), ''] : parts, 'text', source)
}
