import Type, { type Static } from 'typebox'
import type { Operation } from './operation.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

/** The member who is signed in, as their own pages know them. */
export const CurrentUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  email: nullable,
  avatar_url: Type.String({ description: 'Address of the picture to show, empty when there is none' }),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  discord_id: Type.String(),
  avatar: nullable,
  discriminator: Type.String(),
  profile_image: nullable,
  slug: Type.String({ description: 'The last part of the profile page: /profile/{slug}' }),
  created_at: Type.String({ format: 'date-time' }),
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

/** Why and until when the member is banned who tried to sign in with this browser. */
export const SignInBan = Type.Object({
  reason: Type.String({ description: 'Empty when none was written down' }),
  ends_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null is for ever' }),
})
export type SignInBan = Static<typeof SignInBan>

export const accountOperations = {
  'GET /api/discord-auth': {
    summary: 'Begin to sign in: where to send the browser, bound to it by a cookie',
    response: { 200: Type.Object({ authUrl: Type.String() }) },
  },
  'GET /api/sign-in-ban': {
    summary: 'After `login_error=banned`: the ban, told to the browser that was refused, for ten minutes',
    response: { 200: SignInBan },
  },
  'GET /api/user-profile': {
    summary: 'Who is signed in. The first call after a sign-in answers with the lasting token in `session-token`',
    response: { 200: CurrentUser },
  },
  'DELETE /api/session': {
    summary: 'Sign out',
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
