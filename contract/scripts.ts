import Type, { type Static } from 'typebox'
import { Card } from './catalogue.ts'
import type { Operation } from './operation.ts'
import { Review } from './ratings.ts'

/** A script with its code and its whole description. */
export const Script = Type.Object({
  ...Card.properties,
  script_content: Type.String(),
  content_sha256: Type.String({ description: 'SHA-256 of the code in hexadecimal' }),
})
export type Script = Static<typeof Script>

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const scriptOperations = {
  'GET /api/script-details-slug': {
    summary: 'One script with its code and its newest reviews',
    query: Type.Object({ slug: Type.String({ description: 'Any text that ends in a hyphen and the id' }) }),
    response: { 200: Type.Object({ script: Script, comments: Type.Array(Review) }) },
  },
  'GET /api/script-download': {
    summary: 'The code as an attachment named after the slug',
    query: Type.Object({ id }),
    response: { 200: Type.String() },
  },
  'POST /api/script-download': {
    summary: 'Count a copy of the code as a download, once per visitor and script in 24 hours',
    body: Type.Object({ script_id: id }, { additionalProperties: false }),
    response: { 202: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
