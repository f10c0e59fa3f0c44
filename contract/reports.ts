import Type, { type Static } from 'typebox'
import { MAX_PAGE, MAX_PAGE_SIZE, MAX_REASON_LENGTH, REPORT_REASONS } from './limits.ts'
import { Pagination } from './catalogue.ts'
import type { Operation } from './operation.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const nullable = Type.Union([Type.String(), Type.Null()])
const time = Type.String({ format: 'date-time' })
const nullableTime = Type.Union([time, Type.Null()])
const strict = { additionalProperties: false }
const text = Type.Optional(Type.Union([Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()]))
const subjectType = Type.Enum(['script', 'review', 'profile'])

/** What members said of one thing, and what became of it. */
export const ReportCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_id: Type.Integer(),
  subject_title: Type.String(),
  subject_link: nullable,
  subject_excerpt: Type.String(),
  author_id: Type.Union([Type.Integer(), Type.Null()]),
  author_name: Type.String(),
  status: Type.Enum(['open', 'claimed', 'resolved', 'dismissed']),
  is_hidden: Type.Boolean(),
  claimed_by: nullable,
  decided_by: nullable,
  decision: nullable,
  decided_at: nullableTime,
  appeal: nullable,
  appeal_status: Type.Union([Type.Enum(['open', 'upheld', 'granted']), Type.Null()]),
  appeal_decision: nullable,
  report_count: Type.Integer(),
  reports: Type.Array(
    Type.Object({
      reporter_name: Type.String(),
      reason: Type.Enum([...REPORT_REASONS]),
      text: nullable,
      created_at: time,
    }),
    { description: 'The first 50' },
  ),
  created_at: time,
})
export type ReportCase = Static<typeof ReportCase>

/** A decision as the author of the thing sees it. */
export const OwnCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_title: Type.String(),
  subject_link: nullable,
  is_hidden: Type.Boolean(),
  decision: nullable,
  decided_at: nullableTime,
  can_appeal: Type.Boolean(),
  appeal: nullable,
  appeal_status: Type.Union([Type.Enum(['open', 'upheld', 'granted']), Type.Null()]),
  appeal_decision: nullable,
})
export type OwnCase = Static<typeof OwnCase>

export const reportOperations = {
  'POST /api/reports': {
    summary: 'Report a script, a review or a profile, once',
    body: Type.Object(
      { subject_type: subjectType, subject_id: id, reason: Type.Enum([...REPORT_REASONS]), text },
      strict,
    ),
    response: { 201: Type.Object({ message: Type.String() }) },
  },
  'GET /api/reports': {
    summary: 'The queue of reported things (moderators)',
    query: Type.Object({
      status: Type.Enum(['waiting', 'open', 'claimed', 'resolved', 'dismissed', 'appealed', 'all'], {
        default: 'waiting',
      }),
      page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 }),
    }),
    response: { 200: Type.Object({ cases: Type.Array(ReportCase), pagination: Pagination }) },
  },
  'PUT /api/reports': {
    summary: 'Claim, release, resolve or dismiss a case, hide or show its thing, decide an appeal (moderators)',
    body: Type.Object(
      {
        id,
        action: Type.Enum(['claim', 'release', 'resolve', 'dismiss', 'hide', 'unhide', 'uphold', 'grant']),
        decision: Type.Optional(
          Type.Union([Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()], {
            description: 'Why, for the author; required but for claim, release and dismiss',
          }),
        ),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String(), case: ReportCase }) },
  },
  'GET /api/own-cases': {
    summary: "Decisions about the caller's own things",
    response: { 200: Type.Object({ cases: Type.Array(OwnCase) }) },
  },
  'POST /api/appeals': {
    summary: "Appeal a decision about a thing of one's own, once",
    body: Type.Object({ case_id: id, text: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }) }, strict),
    response: { 201: Type.Object({ message: Type.String() }) },
  },
  'POST /api/moderation': {
    summary: 'Hide a script or a review from the page itself, or show it again (moderators)',
    body: Type.Object(
      {
        action: Type.Enum(['hide', 'unhide']),
        subject_type: Type.Enum(['script', 'review']),
        subject_id: id,
        reason: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
