import { Ordering } from './ordering.ts'
import type { Postings } from './postings.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

export const PLACES = 4
const NONE = -1
const SLOTS = 1 << 18

/** The words of all scripts, each with a term for every place it stands in, and sorted, so that beginnings are ranges. */
export class Vocabulary {
  readonly #postings: Postings
  readonly #numbers = new Map<string, number>()
  #free: number[] = []
  words: string[] = []
  readonly #lastOf = new Uint32Array(SLOTS)
  #terms: Int32Array = new Int32Array(1024 * PLACES).fill(NONE)
  /** By term: word times four and place, and one. */
  #ownerOf: Uint32Array = new Uint32Array(1024)
  readonly order = new Ordering((one, other) => {
    const [a = '', b = ''] = [this.words[one], this.words[other]]
    return a < b ? -1 : a > b ? 1 : 0
  })

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
    return this.#termOf(this.#numbers.get(word) ?? this.#add(word), place)
  }

  /** The same for a part of a text. Which word had its hash last is remembered: few have to be cut out and looked up. */
  termIn(text: string, from: number, to: number, place: number): number {
    const slot = slotOf(text, from, to)
    const last = this.#lastOf[slot] ?? 0
    const known = this.words[last] ?? ''
    if (known.length === to - from && text.startsWith(known, from)) return this.#termOf(last, place)
    // A copy: a part of a text would keep the whole text alive.
    const word = Buffer.from(text.slice(from, to)).toString()
    const number = this.#numbers.get(word) ?? this.#add(word)
    this.#lastOf[slot] = number
    return this.#termOf(number, place)
  }

  #termOf(number: number, place: number): number {
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

  #add(word: string): number {
    const number = this.#free.pop() ?? this.words.length
    this.words[number] = word
    this.#numbers.set(word, number)
    this.order.insert(number)
    if ((number + 1) * PLACES > this.#terms.length) {
      const grown = new Int32Array(this.#terms.length * 2).fill(NONE)
      grown.set(this.#terms)
      this.#terms = grown
    }
    return number
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

function slotOf(text: string, from: number, to: number): number {
  let hash = to - from
  for (let at = from; at < to; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at)
  return (hash ^ (hash >>> 15)) & (SLOTS - 1)
}
