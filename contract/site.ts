import Type, { type Static } from 'typebox'
import type { Operation } from './operation.ts'

/** Public settings of this site. */
export const Site = Type.Object({
  name: Type.String(),
  public_url: Type.String({ description: 'Without a trailing slash' }),
  has_chat: Type.Boolean({ description: 'Whether /discord redirects to a chat invite' }),
  has_email: Type.Boolean({ description: 'Whether the site sends email' }),
  discord_cdn_url: Type.String(),
})
export type Site = Static<typeof Site>

export const siteOperations = {
  'GET /api/site': { summary: 'Name and URLs of this site', response: { 200: Site } },
} as const satisfies Record<string, Operation>

export const mediaOperations = {
  'POST /api/media': {
    scope: 'scripts:write',
    summary: 'Upload an image as multipart field `file`; the response has the URLs to use in other calls',
    response: { 201: Type.Object({ url: Type.String(), url_card: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
