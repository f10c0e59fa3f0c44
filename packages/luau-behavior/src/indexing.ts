// Evaluates and assigns `object[key]`.
import { isLibraryTable } from './functions.ts'
import type { Run } from './run.ts'
import { ORIGIN, PLAYER_BITS } from './origins.ts'
import { resultAt, results, unknownResults } from './results.ts'
import { indexInstance } from './instances.ts'
import { UNRESOLVED } from './unresolved.ts'
import {
  Closure,
  Instance,
  isConstant,
  join,
  Library,
  optionsOf,
  originOf,
  Table,
  Thread,
  Union,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

const MAX_CHAIN = 20
const MAX_JOINED_ENTRIES = 32

/** What lists of Roblox objects contain, by what the list was made by. */
const ELEMENTS: Record<string, Instance> = {
  players: new Instance('Player', 'a player'),
  'text channels': new Instance('TextChannel', 'a channel', new Instance('', 'TextChannels')),
}

/** What a collection contains of which only the origin may be known. */
export function elementOf(source: Value): Value {
  const madeBy = source instanceof Unknown ? source.madeBy : ''
  return ELEMENTS[madeBy] ?? new Unknown(originOf(source), undefined, madeBy)
}

export function readIndex(run: Run, object: Value, key: Value): Value {
  if (object instanceof Union || key instanceof Union) {
    return optionsOf(object)
      .flatMap((one) => optionsOf(key).map((other) => (one === null ? UNKNOWN : readIndex(run, one, other))))
      .reduce(join)
  }
  if (object instanceof Table) return readField(run, object, key)
  if (object instanceof Library) return indexLibrary(run, object, key)
  if (object instanceof Instance) {
    const stored = typeof key === 'string' ? run.properties.read(object, key) : undefined
    if (stored === undefined) return indexInstance(object, key)
    // People can change the text of a box.
    return key === 'Text' ? join(stored, indexInstance(object, key)) : stored
  }
  if (typeof object === 'string' && typeof key === 'string') return new Library(`string.${key}`)
  if (object instanceof Unknown) {
    if (typeof key !== 'string' && object.madeBy in ELEMENTS) return elementOf(object)
    // The path of a global that the script does not define tells what it is: `replicatedStorage.SayMessageRequest`.
    const madeBy =
      object.madeBy.startsWith('global ') && typeof key === 'string' ? `${object.madeBy}.${key}` : object.madeBy
    const hasMethods =
      (object.origin & ORIGIN.service) !== 0 || object.madeBy === 'socket' || object.madeBy === 'request'
    const isChosen = hasMethods && !isConstant(key)
    const origin = indexOrigin(object.origin, key) | originOf(key) | (isChosen ? ORIGIN.hidden : 0)
    return new Unknown(origin, undefined, madeBy, object.source)
  }
  return UNKNOWN
}

/** A function of a table of Luau or an executor. A key that is not known may choose any of them. */
function indexLibrary(run: Run, { path }: Library, key: Value): Value {
  if (typeof key !== 'string') {
    const callsOthers = path === 'task' || path === 'coroutine' || path === 'table'
    return new Unknown(originOf(key) | originOf(new Library(path)) | (callsOthers ? ORIGIN.hidden : 0))
  }
  return run.environment.entries.get(`${path}.${key}`) ?? new Library(`${path}.${key}`)
}

/** Fields that say who a player is, whatever the object that has them. */
const FIELD_ORIGINS: Record<string, number> = {
  FromSpeaker: ORIGIN.playerName,
  SpeakerDisplayName: ORIGIN.displayName,
  SpeakerUserId: ORIGIN.userId,
  TextSource: ORIGIN.playerName | ORIGIN.userId,
  UserId: ORIGIN.userId,
  userId: ORIGIN.userId,
  AccountAge: ORIGIN.accountAge,
}

/** The origins of a field of something that has these. The text of a chat message is not data about a player. */
function indexOrigin(origin: number, key: Value): number {
  if (key === 'Message' || key === 'Text') return origin & ~ORIGIN.playerName
  return origin | (typeof key === 'string' && Object.hasOwn(FIELD_ORIGINS, key) ? (FIELD_ORIGINS[key] ?? 0) : 0)
}

export function readField(run: Run, table: Table, key: Value, depth = 0): Value {
  if (
    isConstant(key) ||
    (key instanceof Instance && !isProperty(key)) ||
    key instanceof Closure ||
    key instanceof Table
  ) {
    const known = key === null ? undefined : table.entries.get(key)
    if (known !== undefined && known !== null) return table.other === undefined ? known : join(known, table.other)
    if (table === run.environment && typeof key === 'string') return run.global(key)
    if (table.other !== undefined) return table.other
    return table.metatable ? readByMetatable(run, table, key, depth) : null
  }
  if (table === run.environment) return new Unknown(originOf(key) | ORIGIN.hidden)
  const entries = [...table.entries.values(), ...(table.other === undefined ? [] : [table.other])]
  if (table.metatable) entries.push(readByMetatable(run, table, key, depth))
  if (entries.length > MAX_JOINED_ENTRIES) return withOrigin(new Unknown(originOf(table)), key)
  return entries.reduce<Value>((joined, entry) => join(joined, withOrigin(entry, key)), null)
}

/** Whether an object may be the value of a property, such as a name. */
const isProperty = (key: Value): boolean => key instanceof Instance && key.className === ''

/** What is chosen by data about a player says something about it. */
function withOrigin(value: Value, key: Value): Value {
  const origin = originOf(key) & PLAYER_BITS
  return origin !== 0 && (isConstant(value) || value instanceof Unknown) ? join(value, new Unknown(origin)) : value
}

function readByMetatable(run: Run, table: Table, key: Value, depth: number): Value {
  const index = table.metatable?.entries.get('__index') ?? null
  if (depth > MAX_CHAIN) return new Unknown(ORIGIN.hidden)
  return optionsOf(index)
    .map((option): Value => {
      if (option === null) return null
      if (option instanceof Table) return readField(run, option, key, depth + 1)
      const isFunction = option instanceof Closure || option instanceof Thread || option instanceof Library
      if (!isFunction || isTable(option)) return readIndex(run, option, key)
      return resultAt(run.call(option, results(table, key), run.site ?? NOWHERE), 0)
    })
    .reduce(join)
}

const NOWHERE = { line: 1, endLine: 1 }

const isTable = (value: Value): boolean =>
  value instanceof Library && !value.path.includes('.') && isLibraryTable(value.path)

function writeField(run: Run, table: Table, key: Value, value: Value, depth = 0): void {
  const setter = table.metatable?.entries.get('__newindex')
  const isNew = key === null || !table.entries.has(key)
  if (setter instanceof Closure && isNew) run.callFunction(setter, results(table, key, value))
  else if (setter instanceof Table && isNew && depth < MAX_CHAIN) writeField(run, setter, key, value, depth + 1)
  else writeRaw(run, table, key, value)
}

/** Writes a field of a table as `rawset` does. */
export function writeRaw(run: Run, table: Table, key: Value, value: Value): void {
  if (key instanceof Unknown || key instanceof Union || isProperty(key)) {
    const values = key instanceof Union ? key.options.filter((one) => isConstant(one)) : []
    for (const possibleKey of values) if (possibleKey !== null) run.state.setField(table, possibleKey, value)
    if (key instanceof Union && values.length === key.options.length) return
    table.other = table.other === undefined ? value : join(table.other, value)
    table.otherKey = table.otherKey === undefined ? key : join(table.otherKey, key)
  } else if (key !== null) run.state.setField(table, key, value)
}

export function writeIndex(run: Run, object: Value, key: Value, value: Value, line: number): void {
  for (const option of optionsOf(object)) {
    if (option instanceof Table) writeField(run, option, key, value)
    else if (option instanceof Library && typeof key === 'string')
      run.state.setField(run.environment, `${option.path}.${key}`, value)
    else if (option instanceof Instance && key === 'OnInvoke')
      run.schedule.defer(value, () => unknownResults(new Unknown(run.passed)))
    else run.useElsewhere(value)
    // Where the script may find it again, but the analysis does not.
    const isLost =
      option instanceof Table ? option === run.environment && !isConstant(key) : !(option instanceof Library)
    if (isLost && originOf(value) & ORIGIN.hidden) run.findings.addOpaque(UNRESOLVED.handed, { line, endLine: line })
    // A function of a metatable of Roblox is replaced.
    if (
      option instanceof Unknown &&
      /get(?:raw)?metatable$/.test(option.madeBy) &&
      typeof key === 'string' &&
      key.startsWith('__')
    )
      run.findings.add('client.hook', 'code', { line, endLine: line }, `${option.madeBy}(...).${key} is replaced`)
  }
  if (object instanceof Instance && typeof key === 'string') {
    run.properties.write(object, key, value)
    if (typeof value === 'string') run.findings.recordProperty(key, value, line)
  }
}
