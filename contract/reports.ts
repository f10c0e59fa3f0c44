import Type, { type Static } from 'typebox'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { MAX_PAGE, MAX_PAGE_SIZE, MAX_REASON_LENGTH, REPORT_REASONS } from './limits.ts'
import { Pagination } from './catalogue.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

const text = Type.Optional(Type.Union([Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()]))
const subjectType = Type.Enum(['script', 'review', 'profile', 'comment', 'collection'])

const EarlierCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_title: Type.String(),
  status: Type.Enum(['resolved', 'dismissed']),
  decision: nullableText,
  decided_at: time,
})

/** All reports on one subject. Pending comments and first scripts with undeclared findings have a case without reports. */
export const ReportCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_id: Type.Integer(),
  subject_title: Type.String(),
  subject_link: nullableText,
  subject_excerpt: Type.String(),
  author_id: Type.Union([Type.Integer(), Type.Null()]),
  author_name: Type.String(),
  status: Type.Enum(['open', 'claimed', 'resolved', 'dismissed']),
  is_hidden: Type.Boolean(),
  claimed_by: nullableText,
  decided_by: nullableText,
  decision: nullableText,
  decided_at: nullableTime,
  appeal: nullableText,
  appeal_status: Type.Union([Type.Enum(['open', 'upheld', 'granted']), Type.Null()]),
  appeal_decision: nullableText,
  cannot_decide: Type.Union([Type.Enum(['own_thing', 'protected_author', 'own_decision']), Type.Null()], {
    description: 'Code of the error that the caller would get for a decision; null if they may decide',
  }),
  earlier_case_count: Type.Integer({ description: 'Other decided cases about the same author' }),
  earlier_cases: Type.Array(EarlierCase, { description: 'The newest 5 of them' }),
  findings: Type.Union(
    [
      Type.Array(
        Type.Object({
          id: Type.Enum(CAPABILITY_IDS),
          line: Type.Integer(),
          excerpt: Type.String(),
          detail: Type.String(),
        }),
      ),
      Type.Null(),
    ],
    { description: 'What the author of a first script did not declare, if the site opened the case. Otherwise null' },
  ),
  report_count: Type.Integer(),
  reports: Type.Array(
    Type.Object({
      reporter_name: Type.String(),
      reason: Type.Enum([...REPORT_REASONS]),
      text: nullableText,
      created_at: time,
    }),
    { description: 'The first 50' },
  ),
  created_at: time,
})
export type ReportCase = Static<typeof ReportCase>

/** A decision as the author of the content sees it. */
export const OwnCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_id: Type.Integer(),
  subject_title: Type.String(),
  subject_link: nullableText,
  is_hidden: Type.Boolean(),
  decision: nullableText,
  decided_at: nullableTime,
  can_appeal: Type.Boolean(),
  appeal: nullableText,
  appeal_status: Type.Union([Type.Enum(['open', 'upheld', 'granted']), Type.Null()]),
  appeal_decision: nullableText,
})
export type OwnCase = Static<typeof OwnCase>

export const reportOperations = {
  'POST /api/reports': {
    access: 'member',
    summary: 'Report a script, a review, a profile, a comment or a public collection, once',
    body: Type.Object(
      { subject_type: subjectType, subject_id: id, reason: Type.Enum([...REPORT_REASONS]), text },
      strict,
    ),
    response: { 201: Type.Object({ message: Type.String() }) },
  },
  'GET /api/reports': {
    access: 'moderator',
    summary: 'The report queue (moderators)',
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
    access: 'moderator',
    summary: 'Claim, release, resolve or dismiss a case, hide or show its content, decide an appeal (moderators)',
    // Hiding resolves a case that waits, so that the author can appeal at once.
    body: Type.Object(
      {
        id,
        action: Type.Enum(['claim', 'release', 'resolve', 'dismiss', 'hide', 'unhide', 'uphold', 'grant']),
        decision: Type.Optional(
          Type.Union([Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()], {
            description: 'Reason for the author; optional for claim, release and dismiss',
          }),
        ),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String(), case: ReportCase }) },
  },
  'GET /api/own-cases': {
    access: 'member',
    summary: "Decisions about the caller's content",
    response: { 200: Type.Object({ cases: Type.Array(OwnCase) }) },
  },
  'POST /api/appeals': {
    access: 'member',
    summary: "Appeal a decision about the caller's content, once",
    body: Type.Object({ case_id: id, text: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }) }, strict),
    response: { 201: Type.Object({ message: Type.String() }) },
  },
  'POST /api/moderation': {
    access: 'moderator',
    summary: 'Hide a script, review, comment or collection, or show it again (moderators)',
    body: Type.Object(
      {
        action: Type.Enum(['hide', 'unhide']),
        subject_type: Type.Enum(['script', 'review', 'comment', 'collection']),
        subject_id: id,
        reason: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
