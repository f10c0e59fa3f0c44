// What `object[key]` is worth.
import type { Interpreter } from './interpreter.ts'
import { resultAt, results } from './results.ts'
import { indexInstance } from './roblox.ts'
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

/** The values that an index may have. */
export function readIndex(run: Interpreter, object: Value, key: Value): Value {
  if (object instanceof Union || key instanceof Union) {
    return optionsOf(object)
      .flatMap((one) => optionsOf(key).map((other) => (one === null ? UNKNOWN : readIndex(run, one, other))))
      .reduce(join)
  }
  if (object instanceof Table) return readField(run, object, key)
  if (object instanceof Library && typeof key === 'string') return new Library(`${object.path}.${key}`)
  if (object instanceof Instance) return indexInstance(object, key)
  if (typeof object === 'string' && typeof key === 'string') return new Library(`string.${key}`)
  if (object instanceof Unknown) {
    // The path of a global that the script does not define tells what it is: `replicatedStorage.SayMessageRequest`.
    const made = object.made.startsWith('global ') && typeof key === 'string' ? `${object.made}.${key}` : object.made
    return new Unknown(object.origin | originOf(key), undefined, made, object.source)
  }
  return UNKNOWN
}

/** The field of a table, or what its metatable has for it. */
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
