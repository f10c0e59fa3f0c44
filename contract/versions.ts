import Type, { type Static } from 'typebox'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { id, nullableText, nullableTime, type Operation, strict, time } from './operation.ts'
import { HOLD_REASON_IDS, PROVENANCES, VERSION_STATES } from './version-states.ts'

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

export const versionFields = {
  state: Type.Enum([...VERSION_STATES]),
  state_since: time,
  provenance: Provenance,
  token_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The API token that published it; null for everyone but its owner',
  }),
  held: Type.Union([Hold, Type.Null()], { description: 'Only while the version is held' }),
}

const Decision = Type.Object({ message: Type.String(), state: Type.Enum([...VERSION_STATES]) })
const MAX_REASON_LENGTH = 500

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
} as const satisfies Record<string, Operation>
