import Type, { type Static } from 'typebox'
import { nullableText, time, type Operation } from './operation.ts'

export const CurrentUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  display_name: nullableText,
  email: nullableText,
  avatar_url: Type.String({ description: 'URL of the avatar; empty if there is none' }),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  discord_id: Type.String(),
  avatar: nullableText,
  discriminator: Type.String(),
  profile_image: nullableText,
  slug: Type.String({ description: 'Last part of the profile URL: /profile/{slug}' }),
  created_at: time,
})
export type CurrentUser = Static<typeof CurrentUser>

/** Why a sign-in ended at `/?login_error=<code>`. */
export type LoginError =
  | 'access_denied'
  | 'state_mismatch'
  | 'bad_code'
  | 'discord_unavailable'
  | 'banned'
  | 'sign_in_unavailable'
  | 'failed'

/** The ban that ended a sign-in attempt from this browser. */
export const SignInBan = Type.Object({
  reason: Type.String({ description: 'Empty if none was recorded' }),
  ends_at: Type.Union([time, Type.Null()], { description: 'Null for a permanent ban' }),
})
export type SignInBan = Static<typeof SignInBan>

export const SessionInfo = Type.Object({
  id: Type.String({ format: 'uuid' }),
  device: Type.String({ description: "Browser and operating system, such as 'Firefox on Windows'; empty if unknown" }),
  created_at: time,
  last_used_at: Type.String({ format: 'date-time', description: 'Updated at most every five minutes' }),
  is_current: Type.Boolean({ description: 'Whether the request belongs to this session' }),
})
export type SessionInfo = Static<typeof SessionInfo>

export const accountOperations = {
  'GET /api/discord-auth': {
    access: 'public',
    cacheControl: 'no-store',
    limit: 'sign_in',
    tolerant: true,
    summary: 'Start a sign-in: the Discord URL to open. A cookie binds the sign-in to this browser',
    response: { 200: Type.Object({ authUrl: Type.String() }) },
  },
  'GET /api/sign-in-ban': {
    access: 'public',
    cacheControl: 'no-store',
    summary: 'The ban behind `login_error=banned`, for the browser that tried to sign in. Available for ten minutes',
    response: { 200: SignInBan },
  },
  'GET /api/user-profile': {
    access: 'optionalMember',
    cacheControl: 'no-store',
    tolerant: true,
    summary:
      'The signed-in member. With the login token of a sign-in, which is valid for a minute, the response carries the session token in the `session-token` header',
    response: { 200: CurrentUser },
  },
  'DELETE /api/session': {
    access: 'member',
    summary: 'Sign out',
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'GET /api/sessions': {
    access: 'member',
    summary: "The caller's sessions: the current one, then by last use",
    response: { 200: Type.Object({ sessions: Type.Array(SessionInfo) }) },
  },
  'DELETE /api/sessions': {
    access: 'member',
    summary: "End one of the caller's sessions (`id`), or all of them, this one included (`all=true`)",
    query: Type.Object({
      id: Type.Optional(Type.String({ format: 'uuid' })),
      all: Type.Optional(Type.Literal('true')),
    }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
