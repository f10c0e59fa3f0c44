/** Room on a card's line of tags, in characters; each tag takes some more for its frame. */
const LINE = 34
const FRAME = 4

/** The tags that fit on one line, one at least, and how many more there are. */
export function fitTags<T extends { name: string }>(tags: readonly T[]): { shown: T[]; hidden: number } {
  let room = LINE
  let count = 0
  for (const { name } of tags) {
    room -= name.length + FRAME
    if (room < 0 && count > 0) break
    count++
  }
  return { shown: tags.slice(0, count), hidden: tags.length - count }
}
