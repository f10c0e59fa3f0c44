import Type, { type Static } from 'typebox'
import { CountedPage } from './admin.ts'
import { CAPABILITY_IDS, MAX_HOST_LENGTH } from './behavior-names.ts'
import { MAX_PAGE } from './limits.ts'
import { nullableTime, strict, type Operation } from './operation.ts'

const kind = Type.Union([Type.Enum(['collector', 'known']), Type.Null()], {
  description: 'A collector of data, known to be good, or neither',
})

export const BehaviorHost = Type.Object({
  host: Type.String(),
  scripts: Type.Integer({ description: 'Listed scripts that contact it' }),
  first_seen_at: nullableTime,
  kind,
})
export type BehaviorHost = Static<typeof BehaviorHost>

export const behaviorStaffOperations = {
  'GET /api/behavior-stats': {
    access: 'moderator',
    summary:
      'Number of listed scripts by analysis status and by capability. Counts older than a minute are refreshed in the background (moderators)',
    response: {
      200: Type.Object({
        counted_at: { ...nullableTime, description: 'Null if nothing has been counted yet' },
        scripts: Type.Integer({ description: 'Listed scripts' }),
        statuses: Type.Object({
          ready: Type.Integer(),
          pending: Type.Integer(),
          failed: Type.Integer(),
          outdated: Type.Integer({ description: 'Analyzed by an older analyzer; also counted by status' }),
        }),
        capabilities: Type.Array(Type.Object({ id: Type.Enum(CAPABILITY_IDS), scripts: Type.Integer() }), {
          description: 'Most frequent first',
        }),
      }),
    },
  },
  'GET /api/behavior-hosts': {
    access: 'moderator',
    summary: 'Hosts that listed scripts contact, most frequent first (moderators)',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: MAX_HOST_LENGTH, description: 'Part of the name' })),
      new: Type.Optional(Type.Literal('true', { description: 'Only hosts first seen in the last seven days' })),
      page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
    }),
    response: { 200: Type.Object({ hosts: Type.Array(BehaviorHost), pagination: CountedPage }) },
  },
  'PUT /api/behavior-hosts': {
    access: 'moderator',
    summary: 'Mark a host as a collector of data, as known to be good, or as neither (moderators)',
    body: Type.Object({ host: Type.String({ minLength: 1, maxLength: MAX_HOST_LENGTH }), kind }, strict),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
