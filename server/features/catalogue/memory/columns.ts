import type { IndexRow } from './row.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

function grow<T extends Uint32Array | Int32Array | Float64Array>(old: T, grown: T): T {
  grown.set(old)
  return grown
}

/** What scripts are sorted by, by id. */
export class Columns {
  author: Uint32Array = new Uint32Array(1024)
  created: Float64Array = new Float64Array(1024)
  showcased: Float64Array = new Float64Array(1024)
  views: Int32Array = new Int32Array(1024)
  downloads: Int32Array = new Int32Array(1024)
  ratings: Int32Array = new Int32Array(1024)
  /** The sum of all stars: average and score are made of it as PostgreSQL makes them, to the last bit. */
  stars: Int32Array = new Int32Array(1024)
  trend: Float64Array = new Float64Array(1024)

  get length(): number {
    return this.author.length
  }

  reserve(ids: number): void {
    const length = this.author.length
    if (ids <= length) return
    const room = Math.max(ids + 1024, length + (length >>> 3))
    this.author = grow<Uint32Array>(this.author, new Uint32Array(room))
    this.created = grow<Float64Array>(this.created, new Float64Array(room))
    this.showcased = grow<Float64Array>(this.showcased, new Float64Array(room))
    this.views = grow<Int32Array>(this.views, new Int32Array(room))
    this.downloads = grow<Int32Array>(this.downloads, new Int32Array(room))
    this.ratings = grow<Int32Array>(this.ratings, new Int32Array(room))
    this.stars = grow<Int32Array>(this.stars, new Int32Array(room))
    this.trend = grow<Float64Array>(this.trend, new Float64Array(room))
  }

  write(row: IndexRow): void {
    const { id } = row
    this.reserve(id + 1)
    this.author[id] = row.author
    this.created[id] = row.created
    this.showcased[id] = row.showcased
    this.views[id] = row.views
    this.downloads[id] = row.downloads
    this.ratings[id] = row.ratings
    this.stars[id] = row.stars
    this.trend[id] = row.trend
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
  }

  load(from: SectionReader): void {
    this.author = from.uint32('author')
    this.created = from.float64('created')
    this.showcased = from.float64('showcased')
    this.views = from.int32('views')
    this.downloads = from.int32('downloads')
    this.ratings = from.int32('ratings')
    this.stars = from.int32('stars')
    this.trend = from.float64('trend')
  }
}

const NAMES = ['author', 'created', 'showcased', 'views', 'downloads', 'ratings', 'stars', 'trend'] as const
