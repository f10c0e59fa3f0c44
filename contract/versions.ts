import Type, { type Static } from 'typebox'
import { CountedPage } from './admin.ts'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { MAX_PAGE } from './limits.ts'
import { cursor, id, nextCursor, nullableText, nullableTime, type Operation, strict, time } from './operation.ts'
import { HOLD_REASON_IDS, MAX_HOLD_HOURS, PROVENANCES, VERSION_STATES, WITHDRAWERS } from './version-states.ts'

/** Why a version waits: a finding that the current code does not have, or that the check or the publisher is not as before. */
export const HoldReason = Type.Object({
  id: Type.Enum([...CAPABILITY_IDS, ...HOLD_REASON_IDS]),
  host: Type.Union([Type.String(), Type.Null()], { description: 'The host that is new' }),
  line: Type.Union([Type.Integer(), Type.Null()], { description: 'Counts from 1' }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description: 'What the code calls with what; null for everyone but the author and the staff',
  }),
})
export type HoldReason = Static<typeof HoldReason>

export const Hold = Type.Object({
  reasons: Type.Array(HoldReason),
  confirmed_at: Type.Union([time, Type.Null()], { description: 'When the author confirmed it in the browser' }),
  current_at: Type.Union([time, Type.Null()], { description: 'When it becomes current; null until it is confirmed' }),
})
export type Hold = Static<typeof Hold>

/** How a version was published, as far as the site can prove it. */
export const Provenance = Type.Object({
  by: Type.Enum([...PROVENANCES]),
  repository: Type.Union([Type.String(), Type.Null()], { description: 'Such as ada/pool' }),
  commit: nullableText,
  workflow: nullableText,
  run_url: nullableText,
  commit_url: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'The page of the commit, if it is known' }),
  ),
  matches_commit: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the commit has this code; null if nobody looked',
  }),
})
export type Provenance = Static<typeof Provenance>

/** A version that is not current yet, as everyone reads it. */
export const WaitingVersion = Type.Object({
  number: Type.Integer(),
  version: Type.String(),
  created_at: time,
  state: Type.Enum(['checking', 'held']),
  is_first: Type.Boolean({ description: 'Whether nothing of the script is public until then' }),
  held: Type.Union([Hold, Type.Null()]),
})
export type WaitingVersion = Static<typeof WaitingVersion>

const withdrawal = {
  withdrawn_at: time,
  by: Type.Enum([...WITHDRAWERS]),
  reason: Type.String(),
  is_malicious: Type.Boolean({ description: 'Moderators say that the code harms those who run it' }),
}

/** Code that nobody gets any more. An entry stays when its script is deleted. */
export const Withdrawal = Type.Object({
  sha256: Type.String(),
  slug: Type.String({ description: 'Of the script when the code was withdrawn' }),
  version: Type.String(),
  ...withdrawal,
  reinstated_at: Type.Union([time, Type.Null()], { description: 'When moderators took it back' }),
})
export type Withdrawal = Static<typeof Withdrawal>

export const versionFields = {
  state: Type.Enum([...VERSION_STATES]),
  state_since: time,
  provenance: Provenance,
  token_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The API token that published it; null for everyone but its owner',
  }),
  held: Type.Union([Hold, Type.Null()], { description: 'Only while the version is held' }),
  discard_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was discarded, as a sentence' }),
  withdrawn: Type.Union([Type.Object(withdrawal), Type.Null()], { description: 'Only if the version is withdrawn' }),
}

/** A held version, as moderators decide about it. */
export const HeldVersion = Type.Object({
  script: Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() }),
  author: Type.Object({ id: Type.Integer(), name: Type.String(), slug: Type.String() }),
  number: Type.Integer(),
  version: Type.String(),
  current_number: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The version that visitors get; null if there is none yet',
  }),
  created_at: time,
  held_since: time,
  provenance: Provenance,
  held: Hold,
})
export type HeldVersion = Static<typeof HeldVersion>

export const HoldSettings = Type.Object({
  hold_hours: Type.Integer({ description: 'How long a confirmed version waits after it was published' }),
  is_default: Type.Boolean({ description: 'Whether no admin has chosen it' }),
  default_hold_hours: Type.Integer(),
})
export type HoldSettings = Static<typeof HoldSettings>

const Decision = Type.Object({ message: Type.String(), state: Type.Enum([...VERSION_STATES]) })
export const MAX_REASON_LENGTH = 500
const MAX_WITHDRAWALS = 100
const sha256 = Type.String({ pattern: '^[0-9A-Fa-f]{64}$', title: 'SHA-256' })

export const versionOperations = {
  'POST /api/version-confirm': {
    access: 'recentlySignedIn',
    summary: "Confirm a held version of the caller's script. It becomes current when the time of the hold is over",
    body: Type.Object({ script_id: id, number: id }, strict),
    response: { 200: Type.Object({ ...Decision.properties, current_at: nullableTime }) },
  },
  'POST /api/version-discard': {
    access: 'member',
    summary:
      "Discard a version of the caller's script that waits. With `was_me: false`, the API token that published it and all other sessions end, too",
    body: Type.Object({ script_id: id, number: id, was_me: Type.Boolean() }, strict),
    response: { 200: Decision },
  },
  'POST /api/version-release': {
    access: 'moderator',
    summary: 'Make a held version current now',
    body: Type.Object(
      { script_id: id, number: id, reason: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }) },
      strict,
    ),
    response: { 200: Decision },
  },
  'GET /api/held-versions': {
    access: 'moderator',
    summary: 'Held versions, those that their authors have confirmed first, then the oldest first (moderators)',
    query: Type.Object({ page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }) }),
    response: { 200: Type.Object({ versions: Type.Array(HeldVersion), pagination: CountedPage }) },
  },
  'GET /api/hold-settings': {
    access: 'public',
    summary: 'How long confirmed versions wait',
    response: { 200: HoldSettings },
  },
  'PUT /api/hold-settings': {
    access: 'admin',
    summary: 'Change how long confirmed versions wait; null restores the default (admins)',
    body: Type.Object(
      { hold_hours: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_HOLD_HOURS }), Type.Null()]) },
      strict,
    ),
    response: { 200: HoldSettings },
  },
  'POST /api/version-withdraw': {
    access: 'member',
    summary:
      'Withdraw a current or former version, as its author or as a moderator. Nobody gets its code any more; date and reason stay. Again, it changes nothing',
    body: Type.Object(
      {
        script_id: id,
        number: id,
        reason: Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH }),
        successor_slug: Type.Optional(Type.String({ description: 'A public script that replaces this one' })),
        is_malicious: Type.Optional(
          Type.Boolean({ description: 'Whether the code harms those who run it (moderators only)' }),
        ),
      },
      strict,
    ),
    response: { 200: Type.Object({ ...Decision.properties, withdrawal: Withdrawal }) },
  },
  'GET /api/v1/withdrawn': {
    access: 'public',
    stable: { route: 'GET /api/v1/withdrawn' },
    summary: 'Withdrawn code, newest first; with `sha256`, the entries of this code',
    query: Type.Object({
      sha256: Type.Optional(sha256),
      limit: Type.Integer({ minimum: 1, maximum: MAX_WITHDRAWALS, default: 30 }),
      cursor,
    }),
    response: {
      200: Type.Object({
        withdrawals: Type.Array(Withdrawal),
        pagination: Type.Object({ next_cursor: nextCursor }),
      }),
    },
  },
  'GET /api/script-update': {
    access: 'public',
    stable: { route: 'GET /api/v1/scripts/{slug}/update', path: { slug: 'id' } },
    summary:
      'What an update from one version of a public script to the current one changes, for clients that ask before they update',
    query: Type.Object({ id, from: sha256 }),
    response: {
      200: Type.Object({
        latest: Type.Object({
          number: Type.Integer(),
          version: Type.String(),
          sha256: Type.String(),
          raw_url: Type.String({ description: 'The address that always answers with this code' }),
          provenance: Provenance,
        }),
        starts: Type.Array(Type.Enum(CAPABILITY_IDS)),
        stops: Type.Array(Type.Enum(CAPABILITY_IDS)),
        hosts_added: Type.Array(Type.String()),
        withdrawn: Type.Boolean({ description: 'Whether the code of `from` was withdrawn' }),
        is_compared: Type.Boolean({
          description: 'False if one of both was not analyzed: then nothing is known about what the update starts',
        }),
      }),
    },
  },
} as const satisfies Record<string, Operation>
