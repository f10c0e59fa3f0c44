import Type, { type Static } from 'typebox'
import { MAX_DESCRIPTION_LENGTH, MAX_ENTRIES_LIMIT, MAX_PRIZE_LENGTH, MAX_TITLE_LENGTH, MAX_WINNERS } from './limits.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

export const PrizeType = Type.Enum(['exec_key', 'executor_key', 'custom', 'other'])
export const EntryRequirement = Type.Enum(['login', 'verified'])

export const Winner = Type.Object({
  entry_id: Type.Integer(),
  name: Type.String({ description: "'A member' if the profile is private or the account was deleted" }),
  slug: Type.String({ description: 'Empty if the name is not shown' }),
  avatar_url: Type.String(),
})

export const Giveaway = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  prize_type: PrizeType,
  prize_description: Type.String(),
  prize_value: Type.Union([Type.String(), Type.Null()], {
    description:
      "The caller's own prize if they have won, else null. Admins read all prizes with `GET /api/giveaway-prizes`",
  }),
  entry_requirement: EntryRequirement,
  end_date: time,
  max_entries: Type.Union([Type.Integer(), Type.Null()]),
  entry_count: Type.Integer(),
  winner_count: Type.Integer(),
  is_active: Type.Boolean(),
  is_ended: Type.Boolean(),
  user_entered: Type.Boolean(),
  user_won: Type.Boolean(),
  winners: Type.Array(Winner, { description: 'Empty until the draw' }),
  seed_sha256: Type.String({ description: 'Hash of the secret seed, published when the giveaway is created' }),
  drawn_at: nullableTime,
  created_at: time,
})
export type Giveaway = Static<typeof Giveaway>

/** Everything needed to repeat a draw. */
export const GiveawayDraw = Type.Object({
  giveaway_id: Type.Integer(),
  title: Type.String(),
  seed_sha256: Type.String(),
  seed: nullableText,
  winner_count: Type.Integer(),
  entries: Type.Array(Type.Integer(), { description: 'Ids of all entries in the draw' }),
  winners: Type.Array(Type.Integer(), { description: 'Ids of the winning entries, in order' }),
  drawn_at: nullableTime,
})
export type GiveawayDraw = Static<typeof GiveawayDraw>

const fields = {
  title: Type.String({ maxLength: MAX_TITLE_LENGTH }),
  description: Type.String({ maxLength: MAX_DESCRIPTION_LENGTH }),
  prize_type: PrizeType,
  prize_description: Type.String({ maxLength: 500 }),
  prize_value: Type.Union([Type.String({ maxLength: MAX_PRIZE_LENGTH }), Type.Null()], {
    title: 'Keys',
    description: 'One key or access note per line; each winner gets one line',
  }),
  entry_requirement: EntryRequirement,
  end_date: Type.String({ maxLength: 40, description: 'A day in UTC (inclusive) or a time, not in the past' }),
  max_entries: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_ENTRIES_LIMIT }), Type.Null()]),
  winner_count: Type.Integer({ title: 'Winners', minimum: 1, maximum: MAX_WINNERS }),
  is_active: Type.Boolean({ description: 'Whether members can enter it until its end; true by default' }),
}
const someFields = Type.Partial(Type.Object(fields)).properties

export const GiveawayCreation = Type.Object(
  { action: Type.Optional(Type.Enum(['create'])), ...someFields, title: fields.title, end_date: fields.end_date },
  strict,
)
export type GiveawayCreation = Static<typeof GiveawayCreation>

export const GiveawayChange = Type.Object({ id, ...someFields }, strict)
export type GiveawayChange = Static<typeof GiveawayChange>

const EnterBody = Type.Object({ action: Type.Enum(['enter']), giveaway_id: id }, strict)
const DrawBody = Type.Object({ action: Type.Enum(['select-winners']), giveaway_id: id }, strict)

/** A prize for each winner, in any script. */
const GIVEAWAY_BODY_BYTES = 131_072

export const giveawayOperations = {
  'GET /api/giveaways': {
    access: 'optionalMember',
    stable: { route: 'GET /api/v1/giveaways', omit: ['admin', 'giveaways'] },
    cacheControl: 'no-cache',
    accessWith: ({ admin }) => (admin === 'true' ? 'admin' : 'optionalMember'),

    tolerant: true,
    summary: 'List giveaways, newest first. `admin=true` lists all of them (admins)',
    query: Type.Object({
      admin: Type.Optional(Type.Enum(['true', 'false'])),
      status: Type.Enum(['all', 'active', 'ended', 'inactive'], { default: 'all' }),
    }),
    response: {
      200: Type.Object({
        data: Type.Object({ giveaways: Type.Array(Giveaway) }),
        giveaways: Type.Optional(Type.Array(Giveaway, { description: 'The same list, only with `admin=true`' })),
      }),
    },
  },
  'POST /api/giveaways': {
    access: 'member',
    tolerant: true,
    summary: 'Enter a giveaway; draw its winners or create one (admins)',
    body: Type.Union([EnterBody, DrawBody, GiveawayCreation]),
    maxBodyBytes: GIVEAWAY_BODY_BYTES,
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
    access: 'admin',
    tolerant: true,
    summary: 'Change a giveaway (admins)',
    body: GiveawayChange,
    maxBodyBytes: GIVEAWAY_BODY_BYTES,
    response: { 200: Type.Object({ message: Type.String(), giveaway: Giveaway }) },
  },
  'DELETE /api/giveaways': {
    access: 'admin',
    tolerant: true,
    summary: 'Delete a giveaway, by id in the query or the body (admins)',
    query: Type.Object({ id: Type.Optional(id) }),
    body: Type.Object({ id: Type.Optional(id) }, strict),
    mayHaveNoBody: true,
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/giveaway-prizes': {
    access: 'admin',
    summary: 'The prizes of a giveaway, one per line (admins). Each call is recorded in the audit log',
    query: Type.Object({ id }),
    response: { 200: Type.Object({ prize_value: Type.String() }) },
  },
  'GET /api/giveaway-draw': {
    access: 'public',
    stable: { route: 'GET /api/v1/giveaways/{id}/draw', path: { id: 'id' } },
    cacheControl: 'no-cache',
    summary: 'Everything needed to repeat a draw',
    query: Type.Object({ id }),
    response: { 200: GiveawayDraw },
  },
} as const satisfies Record<string, Operation>
