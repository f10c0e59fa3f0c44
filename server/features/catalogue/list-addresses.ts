import { parse as parseSearch } from 'fast-querystring'
import { operations } from '#contract/operations.ts'
import { queryReader } from '#server/http/validation.ts'
import { type CatalogueQuery, queryKey, readQuery } from './query.ts'

export interface ReadAddress {
  query: CatalogueQuery
  /** Equal for addresses that ask the same. */
  key: string
}

const MAX_ADDRESSES = 2048
const MAX_ADDRESS_LENGTH = 1000
const readSearch = queryReader(operations['GET /api/scripts'].query)

/** What addresses of lists ask for. Those that come again are read once. */
export class ListAddresses {
  readonly #known = new Map<string, ReadAddress>()

  /** Throws AppError `invalid` as the operation itself does. */
  read(url: string): ReadAddress {
    const known = this.#known.get(url)
    if (known) return known
    const mark = url.indexOf('?')
    const query = readQuery(readSearch(mark < 0 ? {} : parseSearch(url.slice(mark + 1))))
    const read = { query, key: queryKey(query) }
    if (url.length > MAX_ADDRESS_LENGTH) return read
    if (this.#known.size === MAX_ADDRESSES) this.#known.clear()
    this.#known.set(url, read)
    return read
  }
}
