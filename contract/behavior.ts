import Type, { type Static } from 'typebox'
import { BEHAVIOR_STATUSES, CAPABILITY_IDS, CERTAINTIES } from './behavior-names.ts'
import { duplicateOf } from './duplicates.ts'
import { MAX_CODE_BYTES } from './limits.ts'
import { id, nullableText, type Operation, strict, time } from './operation.ts'
import { declarationFields } from './script-input.ts'

const capability = Type.Enum(CAPABILITY_IDS)

export const Evidence = Type.Object({
  line: Type.Integer({ description: 'Counts from 1' }),
  end_line: Type.Integer(),
  excerpt: Type.String({ description: 'The code, at most 200 characters, with secrets masked' }),
  detail: Type.String({ description: 'What was called with what, at most 200 characters' }),
})
export type Evidence = Static<typeof Evidence>

export const BehaviorFinding = Type.Object({
  id: capability,
  certainty: Type.Enum([...CERTAINTIES]),
  declared: Type.Enum(['declared', 'undeclared', 'not_asked']),
  evidence: Type.Array(Evidence, { maxItems: 20 }),
  count: Type.Integer({ description: 'Number of all pieces of evidence' }),
})
export type BehaviorFinding = Static<typeof BehaviorFinding>

export const Behavior = Type.Object({
  status: Type.Enum([...BEHAVIOR_STATUSES]),
  analyzer_version: Type.Integer(),
  is_outdated: Type.Boolean({ description: 'Whether an older version of the analyzer made it' }),
  analyzed_at: Type.Union([time, Type.Null()]),
  sha256: Type.String({ description: 'SHA-256 of the code, hexadecimal' }),
  version: Type.String({ description: 'Empty for code that is not published' }),
  compiles: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null if not known' }),
  compile_error: Type.Union([
    Type.Object({
      line: Type.Integer(),
      column: Type.Union([Type.Integer(), Type.Null()]),
      message: Type.String(),
    }),
    Type.Null(),
  ]),
  capabilities: Type.Array(BehaviorFinding),
  hosts: Type.Array(
    Type.Object({
      host: Type.String(),
      line: Type.Integer(),
      contacted: Type.Optional(
        Type.Boolean({ description: 'False if the host is only named in the text. True if missing' }),
      ),
      declared: Type.Enum(['declared', 'undeclared', 'not_asked']),
      kind: Type.Union([Type.Enum(['collector', 'known']), Type.Null()], {
        description: 'What moderators say about the host',
      }),
    }),
  ),
  obfuscator: nullableText,
  opaque: Type.Array(
    Type.Object({ reason: Type.String({ description: 'A sentence for people' }), count: Type.Integer() }),
  ),
  declared_not_found: Type.Array(capability),
})
export type Behavior = Static<typeof Behavior>

export const BehaviorChange = Type.Object({
  number: Type.Integer({ description: 'Number of the version' }),
  version: Type.String(),
  created_at: time,
  starts: Type.Array(capability),
  stops: Type.Array(capability),
  hosts_added: Type.Array(Type.String()),
  hosts_removed: Type.Array(Type.String()),
})
export type BehaviorChange = Static<typeof BehaviorChange>

/** The code with every character escaped, and the declaration. */
const CHECK_BODY_BYTES = 3 * MAX_CODE_BYTES + 65_536

export const behaviorOperations = {
  'GET /api/script-behavior': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}/behavior', path: { slug: 'id' } },
    summary: "What the current version of a script does, with evidence, compared with the author's declaration",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ behavior: Behavior }) },
  },
  'GET /api/script-behavior-changes': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts/{slug}/behavior/changes', path: { slug: 'id' } },
    summary: 'Which versions of a script do something else than the version before, newest first',
    query: Type.Object({ id }),
    response: { 200: Type.Object({ changes: Type.Array(BehaviorChange) }) },
  },
  'POST /api/script-check': {
    access: 'member',
    limit: 'check',
    scope: 'scripts:write',
    stable: { route: 'POST /api/v1/check' },
    summary: 'What code does, found by reading it without running it. Nothing is stored',
    body: Type.Object(
      { script_content: Type.String({ description: 'Luau, 1 byte to 1 MiB' }), ...declarationFields },
      strict,
    ),
    maxBodyBytes: CHECK_BODY_BYTES,
    response: { 200: Type.Object({ behavior: Behavior, duplicate_of: duplicateOf }) },
  },
} as const satisfies Record<string, Operation>
