import Type, { type Static } from 'typebox'
import { MAX_URL_LENGTH } from './limits.ts'
import type { Operation } from './operation.ts'

const size = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description }))

const OEmbed = Type.Object({
  version: Type.String(),
  type: Type.String(),
  title: Type.String(),
  author_name: Type.String(),
  author_url: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  cache_age: Type.Integer({ description: 'Seconds' }),
  thumbnail_url: Type.String(),
  thumbnail_width: Type.Integer(),
  thumbnail_height: Type.Integer(),
  html: Type.String({ description: 'A frame with /embed/{slug}' }),
  width: Type.Integer(),
  height: Type.Integer(),
})
export type OEmbed = Static<typeof OEmbed>

export const embedOperations = {
  'GET /api/oembed': {
    access: 'public',
    cacheControl: 'public, no-cache',
    tolerant: true,
    summary:
      'How to embed a public script in another site (oEmbed 1.0). Badges for a README: /badge/{slug}/{downloads, rating, works or version}.svg, with `?label=` and `?style=square`',
    query: Type.Object({
      url: Type.String({ maxLength: MAX_URL_LENGTH, description: "URL of the script's page" }),
      format: Type.Enum(['json', 'xml'], { default: 'json' }),
      maxwidth: size('Pixels'),
      maxheight: size('Pixels'),
    }),
    response: { 200: OEmbed },
  },
} as const satisfies Record<string, Operation>
