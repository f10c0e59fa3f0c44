import { createHmac } from 'node:crypto'
import { networkOf } from '#server/http/network.ts'
import type { Visitor } from '#server/http/fast-path.ts'

/** 16 bytes that tell visitors apart for a day's counting and lead back to nobody without the site's key. */
export function visitorOf(visitor: Visitor, secretKey: Buffer): Buffer {
  const traits = `${networkOf(visitor.ip)}\n${visitor.headers['user-agent'] ?? ''}`
  return createHmac('sha256', secretKey).update('visitor\n').update(traits).digest().subarray(0, 16)
}
