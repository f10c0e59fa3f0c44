import Type, { type Static } from 'typebox'
import type { Operation } from './operation.ts'

/** What pages need to know of this installation. */
export const Site = Type.Object({
  name: Type.String(),
  public_url: Type.String({ description: 'Without a slash at the end' }),
  has_chat: Type.Boolean({ description: 'Whether /discord leads anywhere' }),
  discord_cdn_url: Type.String(),
})
export type Site = Static<typeof Site>

export const siteOperations = {
  'GET /api/site': { summary: 'Name and addresses of this site', response: { 200: Site } },
} as const satisfies Record<string, Operation>
