// What a run can change: the variables of calls, and tables. Branches that exclude each other start from the same state.
import { POWERS } from './origins.ts'
import {
  type Frame,
  isConstant,
  isSame,
  join,
  type Key,
  optionsOf,
  originOf,
  Table,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

export type Outcome = 'next' | 'break' | 'continue' | 'return'

type Store = Table | Frame

/** What was at a key before a branch changed it. */
interface Former {
  value: Value | undefined
  length: number
}

type Journal = Map<Store, Map<Key, Former>>
type Changes = Map<Store, Map<Key, Value | undefined>>

const MAX_JOINED = 8

/** Records changes by branches, so that they can be undone for the other branch and joined after both. */
export class State {
  private journal: Journal | undefined
  /** Whether, since the last reset, some branches left a loop or function and others did not. */
  isUnsure = false

  /** The number of writes when some branches left the loop or function that runs and others did not. */
  leftAt: number | undefined
  /** The call that runs, whose own variables no other call sees. */
  frame: Frame | undefined
  /** Counts changes of what was known before: functions may do something else after one. */
  generation = 0
  /** The last generation in which a text, or a function that reaches out of the script, has changed. */
  relevantGeneration = 0
  private readonly stores: Store[] = []
  private readonly keys: Key[] = []
  private readonly formers: (Value | undefined)[] = []

  /** Identifies the branch that runs. What is made in a branch needs no record of changes there. */
  get branch(): object | undefined {
    return this.journal
  }

  /** The number of writes so far. */
  get position(): number {
    return this.stores.length
  }

  setSlot(frame: Frame, slot: number, value: Value): void {
    this.record(frame, slot)
    this.log(frame, slot, value)
    frame.slots[slot] = value
  }

  setField(table: Table, key: Key, value: Value): void {
    this.record(table, key)
    this.log(table, key, value)
    write(table, key, value)
    if (key === table.length + 1 && value !== null) table.length++
    else if (key === table.length && value === null) table.length--
  }

  private log(store: Store, key: Key, value: Value): void {
    const former = read(store, key)
    if (former === value) return
    this.stores.push(store)
    this.keys.push(key)
    this.formers.push(former)
    if (store === this.frame && this.frame.parent) return
    const isRelevant = typeof value === 'string' || hasPower(value)
    if (former !== undefined && former !== null) this.generation++
    else if (!isRelevant || typeof value === 'string') return
    if (isRelevant) this.relevantGeneration = ++this.generation
  }

  /**
   * Of what the writes of a range have changed, more such writes may follow: numbers, texts and lists become unknown. Returns
   * whether functions have changed that reach out of the script.
   */
  widen(from: number, to = this.position): boolean {
    let hasChanged = false
    const seen = new Map<Store, Set<Key>>()
    for (let index = from; index < to; index++) {
      const store = this.stores[index]
      const key = this.keys[index]
      if (store === undefined || key === undefined || store.born > from) continue
      let keys = seen.get(store)
      if (!keys) seen.set(store, (keys = new Set()))
      if (keys.has(key)) continue
      keys.add(key)
      const former = this.formers[index]
      this.widenOne(store, key, former)
      const value = read(store, key) ?? null
      hasChanged ||= hasPower(value) && !isSame(value, former ?? null)
    }
    return hasChanged
  }

  private widenOne(store: Store, key: Key, former: Value | undefined): void {
    const value = read(store, key)
    if (value === undefined || value === null || value === former) return
    if (former === undefined || former === null) {
      if (!(store instanceof Table) || typeof key !== 'number') return
      // More entries like the last ones may follow.
      if (store.other === undefined || key > store.length - MAX_JOINED)
        store.other = join(store.other ?? UNKNOWN, isConstant(value) ? UNKNOWN : value)
    } else if (isConstant(value)) {
      const isGrowing = typeof value === 'string' && typeof former === 'string' && value.startsWith(former)
      this.record(store, key)
      write(store, key, isGrowing ? new Unknown(0, [value, ''], 'text') : join(value, UNKNOWN))
    }
  }

  /** What was written since then may as well be what it was before. */
  joinSinceLeft(): void {
    if (this.leftAt === undefined) return
    for (let index = this.position - 1; index >= this.leftAt; index--) {
      const [store, key, former] = [this.stores[index], this.keys[index], this.formers[index]]
      if (store === undefined || key === undefined || former === undefined || former === null) continue
      const value = read(store, key)
      if (store.born > this.leftAt || value === former) continue
      this.record(store, key)
      write(store, key, value === undefined ? former : join(value, former))
    }
  }

  /** Runs branches of which one is taken. What they change is afterwards one of the values of all branches. */
  runBranches(runs: (() => Outcome)[]): Outcome {
    const outer = this.journal
    const former: Journal = new Map()
    const changes: Changes[] = []
    const outcomes = runs.map((run) => {
      const journal: Journal = new Map()
      this.journal = journal
      const outcome = run()
      changes.push(undo(journal))
      for (const [store, formers] of journal) {
        const known = former.get(store)
        if (!known) former.set(store, formers)
        else for (const [key, value] of formers) if (!known.has(key)) known.set(key, value)
      }
      return outcome
    })
    this.journal = outer
    if (former.size > 0) this.generation++
    for (const [store, formers] of former) this.merge(store, formers, changes)
    const [first = 'next'] = outcomes
    if (outcomes.every((outcome) => outcome === first)) return first
    this.isUnsure = true
    this.leftAt ??= this.position
    return outcomes.includes('next') ? 'next' : (outcomes.find((outcome) => outcome !== 'return') ?? 'return')
  }

  private merge(store: Store, formers: Map<Key, Former>, changes: Changes[]): void {
    const all = changes.map((changed) => changed.get(store))
    for (const [key, { value: old }] of formers) {
      let joined: Value | undefined
      for (const news of all) {
        const value = news?.has(key) ? news.get(key) : old
        if (value !== undefined) joined = joined === undefined ? value : join(joined, value)
      }
      this.record(store, key)
      write(store, key, joined)
    }
    if (store instanceof Table) while (store.entries.has(store.length + 1)) store.length++
  }

  private record(store: Store, key: Key): void {
    if (!this.journal || store.branch === this.journal) return
    let formers = this.journal.get(store)
    if (!formers) this.journal.set(store, (formers = new Map()))
    if (formers.has(key)) return
    formers.set(key, { value: read(store, key), length: store instanceof Table ? store.length : 0 })
  }
}

/** Whether a value, without what is in it, may be a function that reaches out of the script. */
const hasPower = (value: Value): boolean =>
  optionsOf(value).some(
    (option) => !isConstant(option) && !(option instanceof Table) && (originOf(option) & POWERS) !== 0,
  )

/** Puts back what was there, and returns what had replaced it. */
function undo(journal: Journal): Changes {
  const changes: Changes = new Map()
  for (const [store, formers] of journal) {
    const news = new Map<Key, Value | undefined>()
    let length: number | undefined
    for (const [key, former] of formers) {
      length ??= former.length
      news.set(key, read(store, key))
      write(store, key, former.value)
    }
    if (store instanceof Table && length !== undefined) store.length = length
    changes.set(store, news)
  }
  return changes
}

const read = (store: Store, key: Key): Value | undefined =>
  store instanceof Table ? store.entries.get(key) : store.slots[key as number]

function write(store: Store, key: Key, value: Value | undefined): void {
  if (!(store instanceof Table)) store.slots[key as number] = value ?? null
  else if (value === undefined || value === null) store.entries.delete(key)
  else store.entries.set(key, value)
}
