/** Storage of a number per document. `sparse` suits columns that few documents have; without a value they sort first. */
export type ColumnType = 'int32' | 'float64' | 'sparse'

/** A text of a document, such as its title. */
export interface Field {
  readonly name: string
  /** Score of a searched word that is the prefix of a word in this field. */
  readonly weight: number
}

/** The number `(priorSum + sum) / (priorCount + count)` of two columns; 0 if the divisor is 0. */
export interface Average {
  readonly sum: string
  readonly count: string
  readonly priorSum?: number
  readonly priorCount?: number
}

/** The sort key that compares the `titleKey` of documents. */
export const TITLE_KEY = 'title'

/** Sorting by how well documents match the words of a query, then by `CatalogueSchema.popularity`. */
export const RELEVANCE = 'relevance'

/** Describes the documents of a catalogue. Plain data, because the version of a snapshot is a hash of it. */
export interface CatalogueSchema<Flag extends string = string, Sort extends string = string> {
  /** Yes-or-no properties, at most 31. Bit n of `CatalogueDocument.flags` is the n-th. */
  readonly flags: readonly Flag[]
  /** Pairs of flags of which a filter has at most one: in facets, turning one on turns the other off. */
  readonly exclusiveFlags: readonly (readonly [NoInfer<Flag>, NoInfer<Flag>])[]
  /** Best first: a word counts for the first field that contains it. */
  readonly fields: readonly Field[]
  /** A searched word scores this many times the weight if it is a whole word of the document, not only a prefix. */
  readonly wholeWordFactor: number
  /** Numbers by which documents are sorted and filtered. */
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly averages: Readonly<Record<string, Average>>
  /** Sort orders: names of columns and averages or `TITLE_KEY`, compared one after the other, then the id. */
  readonly sorts: Readonly<Record<Sort, readonly string[]>>
  /** The sort that breaks ties of relevance and orders completions. */
  readonly popularity: NoInfer<Sort>
}

/** A lower limit of a value, such as at least 100 views. */
export interface Minimum {
  /** Name of a column or average that is the first key of a sort. */
  readonly value: string
  readonly min: number
}

/** Conditions that must all be met. Filters must not be mutated, because their keys are cached. */
export interface CatalogueFilter<Flag extends string = string> {
  /** Each is the prefix of a word of the document. Folded like the words of documents, distinct. */
  readonly words: readonly string[]
  /** Names of tags that the document must have. */
  readonly tags: readonly string[]
  readonly flags: readonly Flag[]
  readonly author: number | undefined
  readonly minimums: readonly Minimum[]
}

export interface CatalogueQuery<
  Flag extends string = string,
  Sort extends string = string,
> extends CatalogueFilter<Flag> {
  readonly sort: Sort | typeof RELEVANCE
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** One page of the matching documents, in order, and the number on all pages. */
export interface QueryResult {
  ids: number[]
  total: number
}

const filterKeys = new WeakMap<CatalogueFilter, string>()

/** Cache key: equivalent filters have the same one. */
export function filterKey(filter: CatalogueFilter): string {
  const cached = filterKeys.get(filter)
  if (cached !== undefined) return cached
  const { words, tags, flags, author, minimums } = filter
  const key = JSON.stringify([
    words.toSorted(),
    tags,
    flags,
    author ?? 0,
    minimums.map(({ value, min }) => [value, min]),
  ])
  filterKeys.set(filter, key)
  return key
}

/** A schema with derived values. Throws RangeError for a schema that the index cannot represent. */
export class CompiledSchema {
  readonly source: CatalogueSchema
  readonly flagCount: number
  readonly fieldCount: number
  /** Scores that a word can have in a document, highest first. */
  readonly wordScores: readonly number[]
  readonly #flagIndexes: ReadonlyMap<string, number>

  constructor(source: CatalogueSchema) {
    const { flags, fields, wholeWordFactor } = source
    this.source = source
    this.flagCount = flags.length
    this.fieldCount = fields.length
    this.#flagIndexes = new Map(flags.map((flag, i) => [flag, i]))
    const scores = new Set(fields.flatMap(({ weight }) => [weight, weight * wholeWordFactor]))
    this.wordScores = [...scores].toSorted((a, b) => b - a)
    if (flags.length > 31) throw new RangeError('A schema has at most 31 flags')
    if (this.wordScores.some((score) => !Number.isInteger(score) || score < 1 || score > 255)) {
      throw new RangeError('The weights of fields, also times wholeWordFactor, are whole numbers from 1 to 255')
    }
  }

  get maxWordScore(): number {
    return this.wordScores[0] ?? 0
  }

  /** Throws RangeError for a name that is not in the schema. */
  flagIndex(flag: string): number {
    const index = this.#flagIndexes.get(flag)
    if (index === undefined) throw new RangeError(`The schema has no flag "${flag}"`)
    return index
  }

  /** The bits that a document with all these flags has. */
  flagMask(flags: readonly string[]): number {
    return flags.reduce((mask, flag) => mask | (1 << this.flagIndex(flag)), 0)
  }

  /** The flag that turning this one on turns off. */
  partnerOf(flag: string): string | undefined {
    for (const [one, other] of this.source.exclusiveFlags) {
      if (flag === one) return other
      if (flag === other) return one
    }
    return undefined
  }

  /** The flags that are on after turning one on. */
  withFlag(flags: readonly string[], added: string): string[] {
    const partner = this.partnerOf(added)
    return [...flags.filter((flag) => flag !== partner && flag !== added), added]
  }
}
