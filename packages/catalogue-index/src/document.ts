/** The distinct words of a document, each with the best field that contains it (0 is the first field of the schema). */
export interface WordList {
  /** Calls `visit` for each word: the UTF-8 bytes from `from` to before `to`, which are valid during the call. */
  forEach(visit: (bytes: Uint8Array, from: number, to: number, field: number) => void): void
}

/** A document as the index reads it. The index keeps no reference to it. */
export interface CatalogueDocument {
  /** Positive. Memory is proportional to the highest id, so ids should have few gaps. */
  readonly id: number
  readonly author: number
  /** Bit n is the n-th flag of the schema. */
  readonly flags: number
  /** Ids of tags that were added before. */
  readonly tags: readonly number[]
  readonly words: WordList
  /** Sort key for `TITLE_KEY`, in UTF-8: its byte order is that of the code points. */
  readonly titleKey: Uint8Array
  /** Values by column name. A missing value counts as 0, in a sparse column as -Infinity. */
  readonly values: Readonly<Record<string, number>>
}

const encoder = new TextEncoder()

/** Makes a word list from words and the index of the best field of each. */
export function encodeWords(words: Iterable<readonly [word: string, field: number]>): WordList {
  const encoded = Array.from(words, ([word, field]) => ({ bytes: encoder.encode(word), field }))
  return {
    forEach(visit) {
      for (const { bytes, field } of encoded) visit(bytes, 0, bytes.length, field)
    },
  }
}

/** Whether the word between `from` and `to` starts with a prefix. */
export function startsWith(bytes: Uint8Array, from: number, to: number, prefix: Uint8Array): boolean {
  if (to - from < prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[from + i] !== prefix[i]) return false
  return true
}

/** Returns a test for documents that have a word with this prefix, in any field or with `bestField` as its best field. */
export function prefixMatcher(prefix: string, bestField?: number): (document: CatalogueDocument) => boolean {
  const encoded = encoder.encode(prefix)
  return ({ words }) => {
    let isFound = false
    words.forEach((bytes, from, to, field) => {
      isFound ||= (bestField ?? field) === field && startsWith(bytes, from, to, encoded)
    })
    return isFound
  }
}

/** Returns a function for the score of a searched word in a document: its best weight, times `wholeWordFactor` if whole. */
export function wordScorer(
  word: string,
  weights: readonly number[],
  wholeWordFactor: number,
): (document: CatalogueDocument) => number {
  const prefix = encoder.encode(word)
  return ({ words }) => {
    let best = 0
    words.forEach((bytes, from, to, field) => {
      if (!startsWith(bytes, from, to, prefix)) return
      best = Math.max(best, (weights[field] ?? 0) * (to - from === prefix.length ? wholeWordFactor : 1))
    })
    return best
  }
}
