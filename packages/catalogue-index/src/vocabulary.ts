import type { Postings } from './postings.ts'
import type { SectionReader, SectionWriter } from './snapshot.ts'
import { sortByOrder } from './radix-sort.ts'
import { SortedIdList } from './sorted-id-list.ts'

const NONE = -1
/** Letters of a word that make up its sort key. */
const KEY_LETTERS = 3

/**
 * All words in use, numbered, each with one term for every field that contains it, and sorted, so that the words with a
 * prefix are a range. Words are compared by UTF-16 code units.
 */
export class Vocabulary {
  readonly #postings: Postings
  readonly #fields: number
  readonly #numbers = new Map<string, number>()
  #free: number[] = []
  #words: string[] = []
  /** By word times the number of fields plus field. */
  #terms: Int32Array
  /** By term: the index in `#terms` plus one, 0 for terms of other kinds. */
  #owners: Uint32Array = new Uint32Array(1024)
  readonly #order: SortedIdList

  constructor(postings: Postings, fields: number, chunkSize?: number) {
    this.#postings = postings
    this.#fields = fields
    this.#terms = new Int32Array(1024 * fields).fill(NONE)
    this.#order = new SortedIdList(
      (one, other) => {
        const [a = '', b = ''] = [this.#words[one], this.#words[other]]
        return a < b ? -1 : a > b ? 1 : 0
      },
      (numbers, keys) => {
        for (let i = 0; i < numbers.length; i++) keys[i] = sortKey(this.#words[numbers[i] ?? 0] ?? '')
      },
      chunkSize,
    )
  }

  async save(out: SectionWriter): Promise<void> {
    await out.putTexts('words', this.#words)
    await out.put('word terms', this.#terms)
    await out.put('word owners', this.#owners)
    await out.put('free words', Uint32Array.from(this.#free))
    await out.put('word order', this.#order.toArray())
  }

  async load(from: SectionReader): Promise<void> {
    this.#words = await from.texts('words')
    this.#terms = from.int32('word terms')
    this.#owners = from.uint32('word owners')
    this.#free = [...from.uint32('free words')]
    this.#order.load(from.uint32('word order'))
    for (const [number, word] of this.#words.entries()) {
      if (word !== '') this.#numbers.set(word, number)
      if (from.slicer.isDue) await from.slicer.pause()
    }
  }

  /** Number of word numbers assigned so far; the next new word of a bulk build gets this number. */
  get length(): number {
    return this.#words.length
  }

  /** The word of a number, '' for a number that is free. */
  word(number: number): string {
    return this.#words[number] ?? ''
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  /** The term of a word in a field; -1 if no document has the word in this field. */
  termAt(number: number, field: number): number {
    return this.#terms[number * this.#fields + field] ?? NONE
  }

  /** The term of a word in a field, created if needed. */
  term(word: string, field: number): number {
    return this.termOf(this.#numbers.get(word) ?? this.#add(word), field)
  }

  /** Like `term`, for the number of a word. */
  termOf(number: number, field: number): number {
    const known = this.termAt(number, field)
    if (known !== NONE) return known
    const term = this.#postings.create()
    if (term >= this.#owners.length) {
      const grown = new Uint32Array(term * 2)
      grown.set(this.#owners)
      this.#owners = grown
    }
    const slot = number * this.#fields + field
    this.#terms[slot] = term
    this.#owners[term] = slot + 1
    return term
  }

  /** Drops the term of a word if it has no documents left, and with its last term the word. Leaves other terms alone. */
  releaseEmpty(term: number): void {
    const slot = (this.#owners[term] ?? 0) - 1
    if (slot < 0 || this.#postings.count(term) > 0) return
    this.#owners[term] = 0
    this.#terms[slot] = NONE
    this.#postings.release(term)
    const number = Math.floor(slot / this.#fields)
    for (let field = 0; field < this.#fields; field++) if (this.termAt(number, field) !== NONE) return
    this.#order.remove(number)
    this.#numbers.delete(this.word(number))
    this.#words[number] = ''
    this.#free.push(number)
  }

  /** Whether some word has this prefix. */
  hasPrefix(prefix: string): boolean {
    let isFound = false
    this.forEachWithPrefix(prefix, () => {
      isFound = true
      return false
    })
    return isFound
  }

  /** Calls `visit` with the number of each word that has this prefix, sorted, until it returns false. */
  forEachWithPrefix(prefix: string, visit: (number: number) => boolean): void {
    this.#order.walkAfter(
      (number) => this.word(number) < prefix,
      (number) => this.word(number).startsWith(prefix) && visit(number),
    )
  }

  /** Calls `visit` with each term of the words that have this prefix. */
  forEachTerm(prefix: string, visit: (term: number) => void): void {
    this.forEachWithPrefix(prefix, (number) => {
      for (let field = 0; field < this.#fields; field++) {
        const term = this.termAt(number, field)
        if (term >= 0) visit(term)
      }
      return true
    })
  }

  /** Adds a new word without sorting it in. Call `sort` afterwards. */
  append(word: string): void {
    this.#enter(this.#words.length, word)
  }

  /** Sorts all words. */
  sort(): void {
    this.#order.load(sortByOrder(Uint32Array.from(this.#words.keys()), this.#order))
  }

  #add(word: string): number {
    const number = this.#free.pop() ?? this.#words.length
    this.#enter(number, word)
    this.#order.insert(number)
    return number
  }

  #enter(number: number, word: string): void {
    this.#words[number] = word
    this.#numbers.set(word, number)
    if ((number + 1) * this.#fields > this.#terms.length) {
      const grown = new Int32Array(this.#terms.length * 2).fill(NONE)
      grown.set(this.#terms)
      this.#terms = grown
    }
  }
}

/** A number that compares like the first letters of the word. */
function sortKey(word: string): number {
  let key = 0
  for (let i = 0; i < KEY_LETTERS; i++) key = key * 65_536 + (i < word.length ? word.charCodeAt(i) : 0)
  return key
}
