import Type, { type Static } from 'typebox'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { AUTOMATIC_REASONS, CASE_REASONS } from './case-reasons.ts'
import {
  DECISION_MUTE_HOURS,
  MAX_OPEN_WORK,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  MAX_REASON_LENGTH,
  REPORT_REASONS,
} from './limits.ts'
import { Pagination } from './catalogue.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'
import { HOLD_REASON_IDS } from './version-states.ts'

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

/** A line of evidence, or a sentence without a line. */
export const CaseFinding = Type.Object({
  id: Type.Enum([
    ...CAPABILITY_IDS,
    ...HOLD_REASON_IDS,
    'withdrawn_code',
    'identical_code',
    'collector',
    'broken_update',
  ]),
  host: nullableText,
  line: Type.Union([Type.Integer(), Type.Null()], { description: 'Counts from 1' }),
  excerpt: Type.String({ description: 'Code; empty without a line' }),
  detail: Type.String({ description: 'What the code calls with what, or a sentence' }),
})
export type CaseFinding = Static<typeof CaseFinding>

/** All reports on one subject, or one automatic reason. Pending comments have a case without reports. */
export const ReportCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_id: Type.Integer(),
  subject_title: Type.String(),
  subject_link: nullableText,
  subject_excerpt: Type.String(),
  author_id: Type.Union([Type.Integer(), Type.Null()]),
  author_name: Type.String(),
  status: Type.Enum(['open', 'claimed', 'resolved', 'dismissed', 'ended'], {
    description: '`ended`: its cause ended before anybody decided',
  }),
  reason: Type.Enum([...CASE_REASONS], { description: '`report`: members reported it. Others are automatic' }),
  version_number: Type.Union([Type.Integer(), Type.Null()], { description: 'The version that it is about' }),
  held_version: Type.Union([Type.Object({ number: Type.Integer(), version: Type.String() }), Type.Null()], {
    description: 'The version that it is about, while it is held: `POST /api/version-release` releases it',
  }),
  severity: Type.Integer({ description: 'How much harm is possible, from 1 to 10' }),
  reach: Type.Integer({ description: 'Views and downloads of 30 days' }),
  found_count: Type.Integer({ description: 'How often it was found; 0 if members reported it' }),
  ended_note: { ...nullableText, description: 'How its cause ended' },
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
  can_mute: Type.Boolean({
    description:
      'Whether hiding or telling the author may mute them: the case is about a comment or review, or about spam, and a decision against the author exists',
  }),
  compare: Type.Union([Type.Object({ from: Type.Integer(), to: Type.Integer() }), Type.Null()], {
    description: 'Numbers of the version that the case is about and the published one before it; null without both',
  }),
  earlier_case_count: Type.Integer({ description: 'Other decided cases about the same author' }),
  earlier_cases: Type.Array(EarlierCase, { description: 'The newest 5 of them' }),
  findings: Type.Union([Type.Array(CaseFinding), Type.Null()], {
    description: 'What the site found, at most 20, if it opened the case. Otherwise null',
  }),
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

/** A case that the site opened about the caller's content, while it waits. Cases by members' reports are not among them. */
export const OpenOwnCase = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_id: Type.Integer(),
  subject_title: Type.String(),
  subject_link: nullableText,
  reason: Type.Enum([...AUTOMATIC_REASONS]),
  version_number: Type.Union([Type.Integer(), Type.Null()]),
  findings: Type.Array(CaseFinding),
  created_at: time,
  place: Type.Integer({ description: 'In the queue, from 1' }),
})
export type OpenOwnCase = Static<typeof OpenOwnCase>

/** Work that waits for the staff. Each number is counted up to MAX_OPEN_WORK. */
export const OpenWork = Type.Object({
  cases: Type.Integer({ description: 'Cases and appeals that wait for a decision' }),
  held_versions: Type.Integer(),
  failed_jobs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Background jobs that failed at every attempt; null for moderators',
  }),
})
export type OpenWork = Static<typeof OpenWork>

/** A report of the caller, and what became of it. */
export const OwnReport = Type.Object({
  id: Type.Integer(),
  subject_type: subjectType,
  subject_title: Type.String({ description: 'As it was when it was first reported' }),
  subject_link: Type.Union([Type.String(), Type.Null()], { description: 'Null unless it is still public' }),
  reason: Type.Enum([...REPORT_REASONS]),
  text: nullableText,
  state: Type.Enum(['waiting', 'action_taken', 'no_violation', 'closed'], {
    description: '`closed` without a decision, because what it was about ended by itself',
  }),
  created_at: time,
  decided_at: nullableTime,
})
export type OwnReport = Static<typeof OwnReport>

export const reportOperations = {
  'GET /api/open-work': {
    access: 'moderator',
    summary: `Numbers of cases, held versions and failed jobs that wait, up to ${MAX_OPEN_WORK} each (moderators)`,
    response: { 200: OpenWork },
  },
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
      reason: Type.Optional(Type.Enum([...CASE_REASONS])),
      order: Type.Enum(['danger', 'oldest'], {
        default: 'danger',
        description: 'Of cases that wait: most dangerous first, or longest waiting first. Others come newest first',
      }),
      ordered_at: Type.Optional(
        Type.String({ format: 'date-time', description: 'The time of the order: that of the first page' }),
      ),
      page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 }),
    }),
    response: { 200: Type.Object({ cases: Type.Array(ReportCase), ordered_at: time, pagination: Pagination }) },
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
        mute_hours: Type.Optional(
          Type.Enum([...DECISION_MUTE_HOURS], {
            description: 'With hide or resolve, if `can_mute`: also mutes the author. A granted appeal ends it',
          }),
        ),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String(), case: ReportCase }) },
  },
  'GET /api/own-cases': {
    access: 'member',
    summary: "Decisions about the caller's content, cases about it that the site opened, and the caller's own reports",
    response: {
      200: Type.Object({
        reports: Type.Array(OwnReport, { description: 'The newest 50' }),
        cases: Type.Array(OwnCase),
        open: Type.Array(OpenOwnCase, { description: 'At most 50' }),
        waiting: Type.Integer({ description: 'Cases in the queue; 0 if none is open' }),
        median_hours: Type.Union([Type.Number(), Type.Null()], {
          description: 'Between opening and decision, of the last 30 days; null without decisions or open cases',
        }),
      }),
    },
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
