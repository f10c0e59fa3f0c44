import Type, { type Static } from 'typebox'
import { MAX_DESCRIPTION_LENGTH, MAX_ENTRIES_LIMIT, MAX_PRIZE_LENGTH, MAX_TITLE_LENGTH, MAX_WINNERS } from './limits.ts'
import type { Operation } from './operation.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const nullable = Type.Union([Type.String(), Type.Null()])
const nullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const strict = { additionalProperties: false }

export const PrizeType = Type.Enum(['exec_key', 'executor_key', 'custom', 'other'])
export const EntryRequirement = Type.Enum(['login', 'verified'])

export const Winner = Type.Object({
  entry_id: Type.Integer(),
  name: Type.String({ description: "'A member' for those whose profile is private or whose account is gone" }),
  slug: Type.String({ description: 'Empty where the name is not shown' }),
  avatar_url: Type.String(),
})

/** A giveaway as one viewer may see it. */
export const Giveaway = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  prize_type: PrizeType,
  prize_description: Type.String(),
  prize_value: Type.Union([Type.String(), Type.Null()], {
    description:
      "The caller's own prize once they have won, else null; admins get all lines by `GET /api/giveaway-prizes`",
  }),
  entry_requirement: EntryRequirement,
  end_date: Type.String({ format: 'date-time' }),
  max_entries: Type.Union([Type.Integer(), Type.Null()]),
  entry_count: Type.Integer(),
  winner_count: Type.Integer(),
  is_active: Type.Boolean(),
  is_ended: Type.Boolean(),
  user_entered: Type.Boolean(),
  user_won: Type.Boolean(),
  winners: Type.Array(Winner, { description: 'Empty until the draw' }),
  seed_sha256: Type.String({ description: 'Published when the giveaway is made: the hash of the secret seed' }),
  drawn_at: nullableTime,
  created_at: Type.String({ format: 'date-time' }),
})
export type Giveaway = Static<typeof Giveaway>

/** All that it takes to replay a draw. */
export const GiveawayDraw = Type.Object({
  giveaway_id: Type.Integer(),
  title: Type.String(),
  seed_sha256: Type.String(),
  seed: nullable,
  winner_count: Type.Integer(),
  entries: Type.Array(Type.Integer(), { description: 'Ids of the entries that took part' }),
  winners: Type.Array(Type.Integer(), { description: 'Ids of the entries that won, in order' }),
  drawn_at: nullableTime,
})
export type GiveawayDraw = Static<typeof GiveawayDraw>

const fields = {
  title: Type.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH }),
  description: Type.String({ maxLength: MAX_DESCRIPTION_LENGTH }),
  prize_type: PrizeType,
  prize_description: Type.String({ maxLength: 500 }),
  prize_value: Type.Union([Type.String({ maxLength: MAX_PRIZE_LENGTH }), Type.Null()], {
    description: 'One key or access note a line; a winner gets a line',
  }),
  entry_requirement: EntryRequirement,
  end_date: Type.String({ maxLength: 40, description: 'A day (its end is meant) or a time, not in the past' }),
  max_entries: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_ENTRIES_LIMIT }), Type.Null()]),
  winner_count: Type.Integer({ minimum: 1, maximum: MAX_WINNERS }),
}
const someFields = Type.Partial(Type.Object(fields)).properties

export const GiveawayCreation = Type.Object(
  { action: Type.Optional(Type.Enum(['create'])), ...someFields, title: fields.title, end_date: fields.end_date },
  strict,
)
export type GiveawayCreation = Static<typeof GiveawayCreation>

export const GiveawayChange = Type.Object({ id, ...someFields, is_active: Type.Optional(Type.Boolean()) }, strict)
export type GiveawayChange = Static<typeof GiveawayChange>

const Entering = Type.Object({ action: Type.Enum(['enter']), giveaway_id: id }, strict)
const Drawing = Type.Object({ action: Type.Enum(['select-winners']), giveaway_id: id }, strict)

export const giveawayOperations = {
  'GET /api/giveaways': {
    summary: 'Giveaways, newest first; for admins all of them with `admin=true`',
    query: Type.Object({
      admin: Type.Optional(Type.Enum(['true', 'false'])),
      status: Type.Enum(['all', 'active', 'ended', 'inactive'], { default: 'all' }),
    }),
    response: { 200: Type.Object({ data: Type.Object({ giveaways: Type.Array(Giveaway) }) }) },
  },
  'POST /api/giveaways': {
    summary: 'Enter a giveaway; for admins: draw its winners, or make a new one',
    body: Type.Union([Entering, Drawing, GiveawayCreation]),
    response: {
      200: Type.Object({
        message: Type.String(),
        giveaway: Type.Optional(Giveaway),
        winners: Type.Optional(Type.Array(Winner)),
      }),
      201: Type.Object({ message: Type.String(), giveaway: Giveaway }),
    },
  },
  'PUT /api/giveaways': {
    summary: 'Change a giveaway (admins)',
    body: GiveawayChange,
    response: { 200: Type.Object({ message: Type.String(), giveaway: Giveaway }) },
  },
  'DELETE /api/giveaways': {
    summary: 'Delete a giveaway (admins); the id in the query or the body',
    query: Type.Object({ id: Type.Optional(id) }),
    body: Type.Object({ id: Type.Optional(id) }, strict),
    mayHaveNoBody: true,
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/giveaway-prizes': {
    summary: "A giveaway's prizes, line by line (admins); each call is written into the audit log",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ prize_value: Type.String() }) },
  },
  'GET /api/giveaway-draw': {
    summary: 'All that it takes to replay a draw',
    query: Type.Object({ id }),
    response: { 200: GiveawayDraw },
  },
} as const satisfies Record<string, Operation>
