import Type, { type Static } from 'typebox'
import { MAX_WORKS_NOTE_LENGTH } from './limits.ts'
import { id, nullableText, strict, time, type Operation } from './operation.ts'

export const WorksSummary = Type.Object({
  version_number: Type.Integer({ description: 'Number of the current version; votes are about this one' }),
  version: Type.String(),
  works: Type.Integer({ description: 'Members who said in the last 7 days that it works' }),
  total: Type.Integer({ description: 'Members who voted in the last 7 days; without new members' }),
  new_votes: Type.Integer({ description: 'Votes in the last 7 days by members who joined less than 30 days ago' }),
  score: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Lower bound (95 %) of the share of members for whom it works, 0 to 1, from all votes with a half-life of 14 days; null without votes that count',
  }),
  works_now: Type.Boolean({ description: 'Whether the score is above one half' }),
})
export type WorksSummary = Static<typeof WorksSummary>

export const WorksVote = Type.Object({
  works: Type.Boolean(),
  note: nullableText,
  voted_at: time,
  is_new_member: Type.Boolean({ description: 'Whether the vote counts little, because the member joined recently' }),
})
export type WorksVote = Static<typeof WorksVote>

export const WorksNote = Type.Object({
  id: Type.Integer(),
  works: Type.Boolean(),
  note: Type.String(),
  member_name: Type.String(),
  member_slug: Type.String({ description: "Empty if the member's account was deleted" }),
  voted_at: time,
})
export type WorksNote = Static<typeof WorksNote>

const Works = Type.Object({
  summary: WorksSummary,
  own_vote: Type.Union([WorksVote, Type.Null()], { description: "The caller's newest vote on the current version" }),
  notes: Type.Union([Type.Array(WorksNote), Type.Null()], {
    description: 'For the author: the newest notes on the current version, at most 100; null for others',
  }),
})
export type Works = Static<typeof Works>

export const worksOperations = {
  'GET /api/works-votes': {
    access: 'optionalMember',
    stable: { route: 'GET /api/v1/scripts/{slug}/works', path: { slug: 'id' } },
    cacheControl: 'no-cache',
    summary: 'Whether members say that the current version of a script works',
    query: Type.Object({ id }),
    response: { 200: Works },
  },
  'POST /api/works-votes': {
    access: 'notMuted',
    scope: 'ratings:write',
    summary:
      'Say whether the current version of a script works. One vote per member, version and month; the newest one counts. Returns 409 `other_version` if the version is not the current one',
    body: Type.Object(
      {
        script_id: id,
        version_number: id,
        works: Type.Boolean(),
        note: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description: `For the author only, at most ${MAX_WORKS_NOTE_LENGTH} characters`,
          }),
        ),
      },
      strict,
    ),
    response: { 200: Works },
  },
  'DELETE /api/works-votes': {
    access: 'member',
    scope: 'ratings:write',
    summary: "Remove the caller's votes on the current version",
    query: Type.Object({ id }),
    response: { 200: Works },
  },
} as const satisfies Record<string, Operation>
