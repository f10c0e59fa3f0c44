// Evaluates and assigns `object[key]`.
import type { Interpreter } from './interpreter.ts'
import { resultAt, results } from './results.ts'
import { indexInstance } from './instances.ts'
import {
  Closure,
  Instance,
  isConstant,
  join,
  Library,
  optionsOf,
  originOf,
  Table,
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
  const made = source instanceof Unknown ? source.made : ''
  return ELEMENTS[made] ?? new Unknown(originOf(source), undefined, made)
}

export function readIndex(run: Interpreter, object: Value, key: Value): Value {
  if (object instanceof Union || key instanceof Union) {
    return optionsOf(object)
      .flatMap((one) => optionsOf(key).map((other) => (one === null ? UNKNOWN : readIndex(run, one, other))))
      .reduce(join)
  }
  if (object instanceof Table) return readField(run, object, key)
  if (object instanceof Library && typeof key === 'string') return new Library(`${object.path}.${key}`)
  if (object instanceof Instance) {
    const stored = typeof key === 'string' ? run.properties.read(object, key) : undefined
    if (stored === undefined) return indexInstance(object, key)
    // People can change the text of a box.
    return key === 'Text' ? join(stored, indexInstance(object, key)) : stored
  }
  if (typeof object === 'string' && typeof key === 'string') return new Library(`string.${key}`)
  if (object instanceof Unknown) {
    if (typeof key !== 'string' && object.made in ELEMENTS) return elementOf(object)
    // The path of a global that the script does not define tells what it is: `replicatedStorage.SayMessageRequest`.
    const made = object.made.startsWith('global ') && typeof key === 'string' ? `${object.made}.${key}` : object.made
    return new Unknown(object.origin | originOf(key), undefined, made, object.source)
  }
  return UNKNOWN
}

export function readField(run: Interpreter, table: Table, key: Value, depth = 0): Value {
  if (isConstant(key) || key instanceof Instance || key instanceof Closure || key instanceof Table) {
    const known = key === null ? undefined : table.entries.get(key)
    if (known !== undefined && known !== null) return table.other === undefined ? known : join(known, table.other)
    if (table === run.environment && typeof key === 'string') return run.global(key)
    if (table.other !== undefined) return table.other
    return table.metatable ? readByMetatable(run, table, key, depth) : null
  }
  if (table === run.environment) return new Unknown(originOf(key))
  const entries = [...table.entries.values(), ...(table.other === undefined ? [] : [table.other])]
  if (entries.length === 0 || entries.length > MAX_JOINED_ENTRIES) return new Unknown(originOf(table))
  return join(entries.reduce(join), new Unknown())
}

function readByMetatable(run: Interpreter, table: Table, key: Value, depth: number): Value {
  const index = table.metatable?.entries.get('__index') ?? null
  if (depth > MAX_CHAIN) return UNKNOWN
  if (index instanceof Table) return readField(run, index, key, depth + 1)
  if (index instanceof Closure) return resultAt(run.callFunction(index, results(table, key)), 0)
  return index === null ? null : UNKNOWN
}

function writeField(run: Interpreter, table: Table, key: Value, value: Value, depth = 0): void {
  const setter = table.metatable?.entries.get('__newindex')
  const isNew = key === null || !table.entries.has(key)
  if (setter instanceof Closure && isNew) run.callFunction(setter, results(table, key, value))
  else if (setter instanceof Table && isNew && depth < MAX_CHAIN) writeField(run, setter, key, value, depth + 1)
  else writeRaw(run, table, key, value)
}

/** Writes a field of a table as `rawset` does. */
export function writeRaw(run: Interpreter, table: Table, key: Value, value: Value): void {
  if (key instanceof Unknown || key instanceof Union) {
    const values = key instanceof Union ? key.options.filter((one) => isConstant(one)) : []
    for (const one of values) if (one !== null) run.state.setField(table, one, value)
    if (values.length === 0) table.other = table.other === undefined ? value : join(table.other, value)
  } else if (key !== null) run.state.setField(table, key, value)
}

export function writeIndex(run: Interpreter, object: Value, key: Value, value: Value, line: number): void {
  for (const option of optionsOf(object)) {
    if (option instanceof Table) writeField(run, option, key, value)
    else run.useElsewhere(value)
    // A function of a metatable of Roblox is replaced.
    if (
      option instanceof Unknown &&
      /get(?:raw)?metatable$/.test(option.made) &&
      typeof key === 'string' &&
      key.startsWith('__')
    )
      run.findings.add('client.hook', 'code', { line, endLine: line }, `${option.made}(...).${key} is replaced`)
  }
  if (object instanceof Instance && typeof key === 'string') {
    run.properties.write(object, key, value)
    if (typeof value === 'string') run.findings.recordProperty(key, value, line)
  }
}
