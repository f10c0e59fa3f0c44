import Type, { type Static } from 'typebox'
import { Card } from './catalogue.ts'
import { duplicateOf } from './duplicates.ts'
import { strict, time, type Operation } from './operation.ts'
import { Review } from './ratings.ts'
import { NewScript, PutVersion, ScriptChange } from './script-input.ts'
import { SCRIPT_TYPES } from './script-kinds.ts'
import { MAX_CODE_BYTES, MAX_IMAGE_BODY_BYTES, MAX_VERSIONS, MAX_VERSIONS_BYTES } from './limits.ts'
import { versionFields, WaitingVersion } from './versions.ts'

/** An image on the page of a script, besides its cover. */
export const Screenshot = Type.Object({
  image: Type.String({ description: 'At most 1280 pixels on each side' }),
  image_card: Type.String({ description: 'At most 480 pixels on each side' }),
  alt: Type.String(),
  width: Type.Integer({ description: 'Of `image`, in pixels' }),
  height: Type.Integer(),
})
export type Screenshot = Static<typeof Screenshot>

export const Script = Type.Object({
  ...Card.properties,
  script_content: Type.String(),
  content_sha256: Type.String({ description: 'SHA-256 of the code, hexadecimal' }),
  summary_setting: Type.Union([Type.String(), Type.Null()], {
    description: "The author's summary; null if `summary` is the first sentence of the description",
  }),
  license: Type.Union([Type.String(), Type.Null()], { description: 'SPDX identifier; null if the author chose none' }),
  script_type: Type.Union([Type.Enum([...SCRIPT_TYPES]), Type.Null()]),
  placement: Type.Union([Type.String(), Type.Null()], { description: 'Where the script goes' }),
  requirements: Type.Union([Type.String(), Type.Null()], { description: 'What else it needs' }),
  screenshots: Type.Array(Screenshot),
  version_count: Type.Integer({ description: 'Number of stored versions' }),
  version_created_at: time,
  changelog: Type.Union([Type.String(), Type.Null()], {
    description: 'What changed in the current version: the first line, as plain text',
  }),
  changelog_markdown: Type.Union([Type.String(), Type.Null()], {
    description: 'All of what changed, as the author wrote it',
  }),
  declared_capabilities: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'What the author says that the current version does; null if the author was not asked',
  }),
  declared_hosts: Type.Union([Type.Array(Type.String()), Type.Null()]),
  duplicate_of: duplicateOf,
  is_public_setting: Type.Boolean({
    description: "The author's choice. While moderators hide a script, `is_public` is false whatever the choice.",
  }),
  is_hidden: Type.Boolean({ description: 'Moderators hide it from everyone but its author and the staff' }),
  author_reputation: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null if the author hides it from the caller',
  }),
  waiting: Type.Union([WaitingVersion, Type.Null()], {
    description: 'The version that waits to become current, if there is one',
  }),
  successor: Type.Union([Type.Object({ slug: Type.String(), title: Type.String() }), Type.Null()], {
    description: 'The public script that replaces this one, if there is one',
  }),
})
export type Script = Static<typeof Script>

export const ScriptVersion = Type.Object({
  number: Type.Integer({ description: 'Counts from 1' }),
  version: Type.String(),
  changelog: Type.Union([Type.String(), Type.Null()], { description: 'What changed: the first line, as Markdown' }),
  changelog_details: Type.Union([Type.String(), Type.Null()], {
    description: 'The lines below it, as Markdown; null if there are none',
  }),
  size: Type.Integer({ description: 'Size of the code in bytes' }),
  sha256: Type.String(),
  is_current: Type.Boolean(),
  created_at: time,
  ...versionFields,
})
export type ScriptVersion = Static<typeof ScriptVersion>

const MAX_NUMBER = 2_147_483_647
const id = Type.Integer({ minimum: 1, maximum: MAX_NUMBER })

const ScriptName = Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() })
const StoredVersion = Type.Object({ script: ScriptName, version: ScriptVersion })

/** The code and the other fields, with every character that JSON may escape escaped. */
const VERSION_BODY_BYTES = 3 * MAX_CODE_BYTES + 65_536

/** An image and the code, with every character that JSON may escape escaped. */
const SCRIPT_BODY_BYTES = 3 * MAX_CODE_BYTES + MAX_IMAGE_BODY_BYTES

export const scriptOperations = {
  'GET /api/script-details-slug': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    tolerant: true,
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}', path: { slug: 'slug' } },
    summary: 'One script with its code and its newest reviews',
    query: Type.Object({ slug: Type.String({ description: 'Any text that ends with a hyphen and the id' }) }),
    response: { 200: Type.Object({ script: Script, comments: Type.Array(Review) }) },
  },
  'GET /api/script-download': {
    access: 'optionalMember',
    cacheControl: 'public, no-cache',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}/code', path: { slug: 'id' } },
    summary:
      'Download the code as an attachment named after the slug. If it was withdrawn or its script was removed: 410, with Luau that says so and stops',
    query: Type.Object({ id }),
    response: { 200: Type.String() },
  },
  'POST /api/script-download': {
    access: 'optionalMember',
    summary: 'Count a copied script as a download, once per visitor and script in 24 hours',
    body: Type.Object({ script_id: id }, strict),
    response: { 202: Type.Object({ message: Type.String() }) },
  },
  'POST /api/scripts': {
    access: 'notMuted',
    limit: 'upload',
    tolerant: true,
    scope: 'scripts:write',
    stable: { route: 'POST /api/v1/scripts' },
    summary:
      'Publish a script. Repeating an `idempotency-key` header within 24 hours returns the original script; a different body returns 409 `idempotency_key_reused`',
    body: NewScript,
    maxBodyBytes: SCRIPT_BODY_BYTES,
    response: {
      201: Type.Object({ script: ScriptName }),
    },
  },
  'PUT /api/script-details': {
    access: 'notMuted',
    tolerant: true,
    scope: 'scripts:write',
    stable: { route: 'PATCH /api/v1/scripts/{slug}', path: { slug: 'id' } },
    summary: "Update the caller's script",
    query: Type.Object({ id }),
    body: ScriptChange,
    maxBodyBytes: SCRIPT_BODY_BYTES,
    response: { 200: Type.Object({ script: Script }) },
  },
  'DELETE /api/script-details': {
    access: 'member',
    tolerant: true,
    scope: 'scripts:write',
    stable: { route: 'DELETE /api/v1/scripts/{slug}', path: { slug: 'id' } },
    summary: "Permanently delete the caller's script",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/script-versions': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}/versions', path: { slug: 'id' } },
    summary: `The stored versions of a script, newest first, at most ${MAX_VERSIONS} with ${MAX_VERSIONS_BYTES / 1_048_576} MiB of code. The code of a public version: /raw/{slug}?sha256={sha256}`,
    query: Type.Object({ id }),
    response: { 200: Type.Object({ versions: Type.Array(ScriptVersion) }) },
  },
  'GET /api/script-version': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}/versions/{number}', path: { slug: 'id', number: 'number' } },
    summary:
      'A stored version with its code; not counted as a download. An API token can always read the versions that it published: ask again while the state is `checking`',
    query: Type.Object({ id, number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }) }),
    response: {
      200: Type.Object({ version: Type.Object({ ...ScriptVersion.properties, script_content: Type.String() }) }),
    },
  },
  'PUT /api/script-versions': {
    access: 'notMuted',
    limit: 'upload',
    summary:
      "Publish code as a version of the caller's script: 201, and it is `checking` until it is current or held; 202 if reading it finds why it is held. If it is the code of the current or the waiting version already, nothing changes: 200 with that version",
    scope: 'versions:write',
    stable: { route: 'PUT /api/v1/scripts/{slug}/versions', path: { slug: 'id' } },
    query: Type.Object({ id }),
    body: PutVersion,
    maxBodyBytes: VERSION_BODY_BYTES,
    response: { 200: StoredVersion, 201: StoredVersion, 202: StoredVersion },
  },
  'POST /api/script-versions': {
    access: 'notMuted',
    scope: 'scripts:write',
    summary: "Restore the code of an earlier version of the caller's script, as a version with the next number",
    body: Type.Object({ script_id: id, number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }) }, strict),
    response: { 200: Type.Object({ script: Script }) },
  },
} as const satisfies Record<string, Operation>
