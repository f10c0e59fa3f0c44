import { Finished } from '#server/http/finished.ts'
import type { FinishedCard } from './card-cache.ts'

const HEAD = Buffer.from('{"scripts":[')
const COMMA = 44

/** A list's bytes, put together from those of its cards; `tail` is all that comes after them. */
export function finishList(cards: readonly FinishedCard[], tail: string): Finished {
  const end = Buffer.from(tail)
  let length = HEAD.length + Math.max(cards.length - 1, 0) + end.length
  for (const { json } of cards) length += json.length
  const body = Buffer.allocUnsafe(length)
  let at = HEAD.copy(body)
  for (const [place, { json }] of cards.entries()) {
    if (place > 0) body[at++] = COMMA
    at += json.copy(body, at)
  }
  end.copy(body, at)
  const identity = Buffer.concat([...cards.map(({ digest }) => digest), end])
  return new Finished(body, 'application/json; charset=utf-8', 200, identity)
}
