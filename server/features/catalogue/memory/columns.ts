import type { IndexRow } from './row.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

function grow<T extends Int32Array | Float64Array>(old: T, grown: T): T {
  grown.set(old)
  return grown
}

/** What scripts are sorted by. */
export type Column = 'created' | 'showcased' | 'views' | 'downloads' | 'ratings' | 'stars' | 'trend'

/** What scripts are sorted by, by id. */
export class Columns {
  created: Float64Array = new Float64Array(1024)
  /** Few ever were. */
  readonly #showcased = new Map<number, number>()
  views: Int32Array = new Int32Array(1024)
  downloads: Int32Array = new Int32Array(1024)
  ratings: Int32Array = new Int32Array(1024)
  /** The sum of all stars: average and score are made of it as PostgreSQL makes them, to the last bit. */
  stars: Int32Array = new Int32Array(1024)
  trend: Float64Array = new Float64Array(1024)

  get length(): number {
    return this.created.length
  }

  reserve(ids: number): void {
    if (ids <= this.length) return
    const room = Math.max(ids + 1024, this.length + (this.length >>> 3))
    this.created = grow<Float64Array>(this.created, new Float64Array(room))
    this.views = grow<Int32Array>(this.views, new Int32Array(room))
    this.downloads = grow<Int32Array>(this.downloads, new Int32Array(room))
    this.ratings = grow<Int32Array>(this.ratings, new Int32Array(room))
    this.stars = grow<Int32Array>(this.stars, new Int32Array(room))
    this.trend = grow<Float64Array>(this.trend, new Float64Array(room))
  }

  write(row: IndexRow): void {
    const { id } = row
    this.reserve(id + 1)
    this.created[id] = row.created
    if (row.showcased > -Infinity) this.#showcased.set(id, row.showcased)
    else this.#showcased.delete(id)
    this.views[id] = row.views
    this.downloads[id] = row.downloads
    this.ratings[id] = row.ratings
    this.stars[id] = row.stars
    this.trend[id] = row.trend
  }

  at(column: Column, id: number): number {
    return column === 'showcased' ? (this.#showcased.get(id) ?? -Infinity) : (this[column][id] ?? 0)
  }

  average(id: number): number {
    const ratings = this.ratings[id] ?? 0
    return ratings === 0 ? 0 : (this.stars[id] ?? 0) / ratings
  }

  /** As the column `score` is: ten votes of three stars beside the real ones. */
  score(id: number): number {
    return (30 + (this.stars[id] ?? 0)) / (10 + (this.ratings[id] ?? 0))
  }

  async save(out: SectionWriter): Promise<void> {
    for (const name of NAMES) await out.put(name, this[name])
    await out.put('showcased ids', Uint32Array.from(this.#showcased.keys()))
    await out.put('showcased', Float64Array.from(this.#showcased.values()))
  }

  load(from: SectionReader): void {
    this.created = from.float64('created')
    this.views = from.int32('views')
    this.downloads = from.int32('downloads')
    this.ratings = from.int32('ratings')
    this.stars = from.int32('stars')
    this.trend = from.float64('trend')
    const showcased = from.float64('showcased')
    for (const [place, id] of from.uint32('showcased ids').entries()) this.#showcased.set(id, showcased[place] ?? 0)
  }
}

const NAMES = ['created', 'views', 'downloads', 'ratings', 'stars', 'trend'] as const
