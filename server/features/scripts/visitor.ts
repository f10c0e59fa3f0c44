import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '#server/http/network.ts'

/** 16 bytes that tell visitors apart for a day's counting and lead back to nobody without the site's key. */
export function visitorOf(request: FastifyRequest, secretKey: Buffer): Buffer {
  const traits = `${networkOf(request.ip)}\n${request.headers['user-agent'] ?? ''}`
  return createHmac('sha256', secretKey).update('visitor\n').update(traits).digest().subarray(0, 16)
}
