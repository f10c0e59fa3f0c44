import { FLAGS, type Flag } from '#contract/catalogue-names.ts'
import { MemoryIndex } from '#server/features/catalogue/memory/memory-index.ts'
import { type IndexRow, readLine } from '#server/features/catalogue/memory/row.ts'
import { Slices } from '#server/features/catalogue/memory/slices.ts'
import { sortOrders } from '#server/features/catalogue/memory/sort-orders.ts'
import { fold, searchDocument } from '#server/features/catalogue/service.ts'
import type { SyntheticCatalogue } from '../scripts/synthetic/script.ts'

const SEPARATOR = '\u001F'

/** The line that the database would give for a script of the synthetic catalogue. */
export function lineOf(catalogue: SyntheticCatalogue, id: number): string {
  const { flags, authorId, title, description, tagIds, createdAt, views, downloads, stars } = catalogue.script(id)
  const on: Record<Flag, boolean> = {
    featured: flags.featured,
    no_keysystem: !flags.key,
    free_only: flags.free,
    paid_only: !flags.free,
    universal_only: flags.universal,
    game_specific_only: !flags.universal,
    client_side_only: flags.client,
    fe_only: !flags.client,
    verified_creators: flags.verified,
    mobile_compatible: flags.mobile,
    working_scripts: flags.working,
    showcased: flags.showcased,
  }
  const bits = FLAGS.reduce((sum, flag, place) => sum | (Number(on[flag]) << place), 0)
  const count = stars.reduce((sum, star) => sum + star, 0)
  const sum = stars.reduce((total, star, place) => total + star * (place + 1), 0)
  const created = createdAt.getTime() * 1000
  const tags = tagIds.map((tag) => catalogue.tags[tag - 1] ?? '')
  const document = searchDocument({ title, description, tags, authorName: `author${authorId}` })
  const rating = [count, sum, Math.log2(1 + views)]
  const numbers = [id, authorId, bits, created, flags.showcased ? created : '', views, downloads, ...rating]
  return [...numbers, tagIds.join(','), document, fold(title)].join(SEPARATOR)
}

/** An index over a synthetic catalogue, without a database. */
export async function buildSynthetic(catalogue: SyntheticCatalogue, scripts: number): Promise<MemoryIndex> {
  const index = new MemoryIndex()
  index.postings.span = scripts
  index.columns.reserve(scripts + 1)
  for (const [place, name] of catalogue.tags.entries()) index.labels.addTag({ id: place + 1, name, color: '#000000' })
  const ids: number[] = []
  for (let id = 1; id <= scripts; id++) {
    const row: IndexRow = readLine(lineOf(catalogue, id))
    index.load(row)
    ids.push(id)
  }
  await sortOrders(index, Uint32Array.from(ids), new Slices())
  return index
}
