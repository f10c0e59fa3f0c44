import Type, { type Static } from 'typebox'
import { Card } from './catalogue.ts'
import type { Operation } from './operation.ts'
import { Review } from './ratings.ts'
import { NewScript, ScriptChange } from './script-input.ts'
import { MAX_CODE_BYTES, MAX_IMAGE_BODY_BYTES, MAX_VERSIONS } from './limits.ts'

/** A script with its code and its whole description. */
export const Script = Type.Object({
  ...Card.properties,
  script_content: Type.String(),
  content_sha256: Type.String({ description: 'SHA-256 of the code in hexadecimal' }),
  author_reputation: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null where the author does not show it to who asks',
  }),
})
export type Script = Static<typeof Script>

/** A state of the code that is kept. */
export const ScriptVersion = Type.Object({
  number: Type.Integer({ description: '1 for the first one' }),
  version: Type.String(),
  changelog: Type.Union([Type.String(), Type.Null()]),
  size: Type.Integer({ description: 'Bytes of the code' }),
  sha256: Type.String(),
  is_current: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
})
export type ScriptVersion = Static<typeof ScriptVersion>

const MAX_NUMBER = 2_147_483_647
const id = Type.Integer({ minimum: 1, maximum: MAX_NUMBER })

/** The code with every character escaped that a JSON writer may escape, and an image. */
const SCRIPT_BODY_BYTES = 3 * MAX_CODE_BYTES + MAX_IMAGE_BODY_BYTES

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
  'POST /api/scripts': {
    summary:
      'Publish a script. The same `idempotency-key` header again within 24 hours answers the script made first; with another body 409 `idempotency_key_reused`',
    body: NewScript,
    maxBodyBytes: SCRIPT_BODY_BYTES,
    response: {
      201: Type.Object({ script: Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() }) }),
    },
  },
  'PUT /api/script-details': {
    summary: "Change one's own script",
    query: Type.Object({ id }),
    body: ScriptChange,
    maxBodyBytes: SCRIPT_BODY_BYTES,
    response: { 200: Type.Object({ script: Script }) },
  },
  'DELETE /api/script-details': {
    summary: "Delete one's own script for good",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/script-versions': {
    summary: `The kept versions of a script's code, newest first, at most ${MAX_VERSIONS}. The text of each one of a public script: /raw/{slug}?sha256={sha256}`,
    query: Type.Object({ id }),
    response: { 200: Type.Object({ versions: Type.Array(ScriptVersion) }) },
  },
  'GET /api/script-version': {
    summary: 'One kept version with its code, for whoever may see the script; not counted as a download',
    query: Type.Object({ id, number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }) }),
    response: {
      200: Type.Object({ version: Type.Object({ ...ScriptVersion.properties, script_content: Type.String() }) }),
    },
  },
  'POST /api/script-versions': {
    summary: "Make a former version of one's own script the present one",
    body: Type.Object(
      { script_id: id, number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }) },
      { additionalProperties: false },
    ),
    response: { 200: Type.Object({ script: Script }) },
  },
} as const satisfies Record<string, Operation>
