import { pathOf } from './instances.ts'
import type { State } from './state.ts'
import { type Instance, optionsOf, Table, Unknown, type Value } from './values.ts'

const MAX_OBJECTS = 2000

/** Texts, and values whose origin is known, by object and name. Other values do not affect the card. */
export class Properties {
  readonly #state: State
  /** Objects that the script made, by themselves; those of the game, by their paths. */
  readonly #tables = new Map<Instance | string, Table>()

  constructor(state: State) {
    this.#state = state
  }

  write(object: Instance, name: string, value: Value): void {
    const isText = optionsOf(value).some(
      (option) => typeof option === 'string' || (option instanceof Unknown && (option.origin !== 0 || option.parts)),
    )
    const key = keyOf(object)
    let table = this.#tables.get(key)
    if (!isText || (!table && this.#tables.size >= MAX_OBJECTS)) return
    if (!table) this.#tables.set(key, (table = new Table()))
    this.#state.setField(table, name, value)
  }

  read(object: Instance, name: string): Value | undefined {
    return this.#tables.size === 0 ? undefined : this.#tables.get(keyOf(object))?.entries.get(name)
  }
}

const keyOf = (object: Instance): Instance | string => (object.owner ? pathOf(object) : object)
