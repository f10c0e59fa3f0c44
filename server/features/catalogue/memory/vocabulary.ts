import { Ordering } from './ordering.ts'
import type { Postings } from './postings.ts'
import type { SectionReader, SectionWriter } from './sections.ts'
import { sortNumbers } from './sort-numbers.ts'

export const PLACES = 4
const NONE = -1
/** So many letters of a word make its key. */
const KEY_LETTERS = 3

/** The words of all scripts, each with a term for every place it stands in, and sorted, so that beginnings are ranges. */
export class Vocabulary {
  readonly #postings: Postings
  readonly #numbers = new Map<string, number>()
  #free: number[] = []
  words: string[] = []
  #terms: Int32Array = new Int32Array(1024 * PLACES).fill(NONE)
  /** By term: word times four and place, and one. */
  #ownerOf: Uint32Array = new Uint32Array(1024)
  readonly order = new Ordering(
    (one, other) => {
      const [a = '', b = ''] = [this.words[one], this.words[other]]
      return a < b ? -1 : a > b ? 1 : 0
    },
    (numbers, keys) => {
      for (let at = 0; at < numbers.length; at++) keys[at] = keyOf(this.words[numbers[at] ?? 0] ?? '')
    },
  )

  constructor(postings: Postings) {
    this.#postings = postings
  }

  async save(out: SectionWriter): Promise<void> {
    await out.putTexts('words', this.words)
    await out.put('word terms', this.#terms)
    await out.put('word owners', this.#ownerOf)
    await out.put('free words', Uint32Array.from(this.#free))
    await out.put('word order', this.order.toArray())
  }

  async load(from: SectionReader): Promise<void> {
    this.words = await from.texts('words')
    this.#terms = from.int32('word terms')
    this.#ownerOf = from.uint32('word owners')
    this.#free = [...from.uint32('free words')]
    this.order.load(from.uint32('word order'))
    for (const [number, word] of this.words.entries()) {
      if (word !== '') this.#numbers.set(word, number)
      if (from.slices.isDue) await from.slices.pause()
    }
  }

  get size(): number {
    return this.#numbers.size
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  /** The term of a word in a place, -1 when it stands there nowhere. */
  termAt(number: number, place: number): number {
    return this.#terms[number * PLACES + place] ?? NONE
  }

  /** The term of a word in a place, made when there is none yet. */
  term(word: string, place: number): number {
    return this.termOf(this.#numbers.get(word) ?? this.#add(word), place)
  }

  /** The same for a word by its number. */
  termOf(number: number, place: number): number {
    const known = this.termAt(number, place)
    if (known !== NONE) return known
    const term = this.#postings.create()
    this.#own(term, number, place)
    return term
  }

  /** Forgets a term that is empty, and its word with the last of them. Terms of other kinds are left alone. */
  releaseEmpty(term: number): void {
    const owner = (this.#ownerOf[term] ?? 0) - 1
    if (owner < 0 || this.#postings.count(term) > 0) return
    this.#ownerOf[term] = 0
    this.#terms[owner] = NONE
    this.#postings.release(term)
    const number = Math.floor(owner / PLACES)
    for (let place = 0; place < PLACES; place++) if (this.termAt(number, place) !== NONE) return
    this.order.remove(number)
    this.#numbers.delete(this.words[number] ?? '')
    this.words[number] = ''
    this.#free.push(number)
  }

  hasBeginning(prefix: string): boolean {
    let isFound = false
    this.eachBeginning(prefix, () => {
      isFound = true
      return false
    })
    return isFound
  }

  /** The words that begin like this, in order, until told to stop. */
  eachBeginning(prefix: string, visit: (number: number) => boolean): void {
    this.order.walkAfter(
      (number) => (this.words[number] ?? '') < prefix,
      (number) => (this.words[number] ?? '').startsWith(prefix) && visit(number),
    )
  }

  /** A word that is new; it has no place in the order until that is sorted. */
  append(word: string): void {
    this.#enter(this.words.length, word)
  }

  /** Brings all words into their order. */
  sort(): void {
    this.order.load(sortNumbers(Uint32Array.from(this.words.keys()), this.order))
  }

  #add(word: string): number {
    const number = this.#free.pop() ?? this.words.length
    this.#enter(number, word)
    this.order.insert(number)
    return number
  }

  #enter(number: number, word: string): void {
    this.words[number] = word
    this.#numbers.set(word, number)
    if ((number + 1) * PLACES > this.#terms.length) {
      const grown = new Int32Array(this.#terms.length * 2).fill(NONE)
      grown.set(this.#terms)
      this.#terms = grown
    }
  }

  #own(term: number, number: number, place: number): void {
    if (term >= this.#ownerOf.length) {
      const grown = new Uint32Array(term * 2)
      grown.set(this.#ownerOf)
      this.#ownerOf = grown
    }
    const owner = number * PLACES + place
    this.#terms[owner] = term
    this.#ownerOf[term] = owner + 1
  }
}

/** Compares as the word's first letters do. */
function keyOf(word: string): number {
  let key = 0
  for (let at = 0; at < KEY_LETTERS; at++) key = key * 65_536 + (at < word.length ? word.charCodeAt(at) : 0)
  return key
}
