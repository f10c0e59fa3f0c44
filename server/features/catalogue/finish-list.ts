import { hash } from 'node:crypto'
import { CachedResponse } from '#server/http/cached-response.ts'
import type { FinishedCard } from './cards.ts'

const HEAD = Buffer.from('{"scripts":[')
const COMMA = 44

/** A list's bytes, put together from those of its cards; `tail` is all that comes after them. */
export function finishList(cards: readonly FinishedCard[], tail: string): CachedResponse {
  const end = Buffer.from(tail)
  let length = HEAD.length + Math.max(cards.length - 1, 0) + end.length
  let identity = tail
  for (const { json, digest } of cards) {
    length += json.length
    identity += digest
  }
  const body = Buffer.allocUnsafe(length)
  body.set(HEAD)
  let at = HEAD.length
  let isFirst = true
  for (const { json } of cards) {
    if (!isFirst) body[at++] = COMMA
    isFirst = false
    body.set(json, at)
    at += json.length
  }
  body.set(end, at)
  return new CachedResponse(body, 'application/json; charset=utf-8', 200, hash('sha1', identity, 'base64url'))
}
