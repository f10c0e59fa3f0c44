import Type, { type Static } from 'typebox'
import { MAX_DRAFT_BODY_BYTES, MAX_DRAFTS } from './limits.ts'
import { type Operation, strict, time } from './operation.ts'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())

/** The fields of a script form as they were typed. Images stay in the browser until they are published. */
const DraftValues = Type.Object(
  {
    title: text,
    version: text,
    summary: text,
    description: text,
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
    license: text,
    script_type: text,
    placement: text,
    requirements: text,
    is_universal: flag,
    game_id: text,
    game_name: text,
    is_client_side: flag,
    is_free: flag,
    is_mobile_compatible: flag,
    is_working: flag,
    is_public: flag,
    is_unlisted: flag,
    has_key_system: flag,
    key_system_url: text,
    script_content: text,
    declared_capabilities: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.Null()])),
    declared_hosts: text,
  },
  strict,
)
export type DraftValues = Static<typeof DraftValues>

export const DraftContent = Type.Object(
  {
    values: DraftValues,
    /** Of a change only. */
    base: Type.Optional(DraftValues),
    base_updated_at: Type.Optional(time),
    changelog: text,
  },
  {
    ...strict,
    description:
      'Of a new script all values; of a change the changed ones, what they were before, and `updated_at` of that state',
  },
)
export type DraftContent = Static<typeof DraftContent>

const key = Type.String({
  pattern: '^([0-9a-f]{32}|[1-9][0-9]{0,8})$',
  description: 'The idempotency key with which a new script is published, or the id of the script that is changed',
})
const state = {
  key,
  script_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a new script' }),
  updated_at: time,
}

export const Draft = Type.Object({ ...state, content: DraftContent })
export type Draft = Static<typeof Draft>

// API tokens are rejected: programs publish, and have no use for what a member has not finished.
export const draftOperations = {
  'GET /api/drafts': {
    access: 'member',
    summary: "The caller's drafts, newest first, without their content",
    response: { 200: Type.Object({ drafts: Type.Array(Type.Object(state)) }) },
  },
  'GET /api/draft': {
    access: 'member',
    summary: "One of the caller's drafts",
    query: Type.Object({ key }),
    response: { 200: Draft },
  },
  'PUT /api/draft': {
    access: 'member',
    limit: 'draft',
    maxBodyBytes: MAX_DRAFT_BODY_BYTES,
    summary: `Store a draft. The newest ${MAX_DRAFTS} of a member stay, for 90 days after the last change`,
    body: Type.Object(
      {
        key,
        content: DraftContent,
        base_updated_at: Type.Optional(
          Type.Union([time, Type.Null()], {
            description:
              '`updated_at` of the stored draft that was changed; 409 `changed_meanwhile` if it is another one',
          }),
        ),
      },
      strict,
    ),
    response: { 200: Type.Object({ updated_at: time }) },
  },
  'DELETE /api/draft': {
    access: 'member',
    summary: 'Delete a draft. Deleting it again changes nothing',
    query: Type.Object({ key }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
