import Type, { type Static } from 'typebox'
import {
  DEFAULT_TOKEN_LIFETIME,
  MAX_TOKEN_NAME_LENGTH,
  MAX_TOKEN_SCRIPTS,
  MAX_TOKENS,
  MAX_WRITING_LIFETIME,
  TOKEN_SCOPES,
} from './limits.ts'
import { id, nullableTime, strict, time, type Operation } from './operation.ts'

export const ApiToken = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the token' }),
  scopes: Type.Array(Type.Enum([...TOKEN_SCOPES])),
  scripts: Type.Union([Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() })), Type.Null()], {
    description: 'The only scripts that it may change, without those that were deleted. Null: all',
  }),
  created_at: time,
  expires_at: time,
  last_used_at: Type.Union(nullableTime.anyOf, { description: 'Updated at most once a minute; null if never used' }),
})
export type ApiToken = Static<typeof ApiToken>

export const NewToken = Type.Object(
  {
    name: Type.String({ description: `1 to ${MAX_TOKEN_NAME_LENGTH} characters` }),
    scopes: Type.Array(Type.Enum([...TOKEN_SCOPES]), { maxItems: TOKEN_SCOPES.length }),
    expires_in_days: Type.Optional(
      Type.Union([Type.Literal(30), Type.Literal(90), Type.Literal(365)], {
        description: `${DEFAULT_TOKEN_LIFETIME} by default. A token that writes lives at most ${MAX_WRITING_LIFETIME} days`,
      }),
    ),
    script_ids: Type.Optional(
      Type.Union([Type.Array(id, { minItems: 1, maxItems: MAX_TOKEN_SCRIPTS, uniqueItems: true }), Type.Null()], {
        description:
          "The only scripts that it may change, which must be the caller's. It then cannot publish new ones. Null: all scripts, including future ones",
      }),
    ),
  },
  strict,
)
export type NewToken = Static<typeof NewToken>

const TokenOwner = Type.Object({ id: Type.Integer(), username: Type.String(), slug: Type.String() })

export const tokenOperations = {
  'GET /api/tokens': {
    access: 'member',
    summary: "The caller's API tokens, newest first. Expired ones are listed for 30 days",
    response: { 200: Type.Object({ tokens: Type.Array(ApiToken) }) },
  },
  'POST /api/tokens': {
    access: 'recentlySignedIn',
    summary: `Create an API token; at most ${MAX_TOKENS}. Requires a sign-in in the last ten minutes. The token is in this response only`,
    body: NewToken,
    response: { 201: Type.Object({ token: Type.String(), info: ApiToken }) },
  },
  'DELETE /api/tokens': {
    access: 'member',
    summary: "Revoke one of the caller's API tokens; it is rejected from this moment on",
    query: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/token': {
    access: 'member',
    summary: 'The API token that the request is sent with, and its member',
    scope: 'any',
    stable: { route: 'GET /api/v1/token' },
    response: { 200: Type.Object({ token: ApiToken, member: TokenOwner }) },
  },
} as const satisfies Record<string, Operation>
