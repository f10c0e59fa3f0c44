import Type, { type Static } from 'typebox'
import { MAX_BACKUP_PATH_LENGTH, MAX_SITE_NAME_LENGTH } from './limits.ts'
import { nullableText, strict, type Operation } from './operation.ts'

const token = Type.String({ minLength: 1, maxLength: 100, description: 'From the link that the site printed' })
const isFixed = Type.Boolean({ description: 'Whether a server setting determines the value' })

export const SetupState = Type.Object({
  is_finished: Type.Boolean(),
  name: Type.String(),
  discord: Type.Object({
    client_id: nullableText,
    is_fixed: isFixed,
    redirect_url: Type.String({ description: 'To be entered in the developer portal of Discord' }),
  }),
  backup: Type.Object({ target: nullableText, is_fixed: isFixed }),
  admin: Type.Object({
    discord_id: Type.Union([Type.String(), Type.Null()], { description: 'Becomes an admin at the next sign-in' }),
  }),
  warning: Type.Optional(Type.String({ description: 'What was saved, but could not be checked' })),
})
export type SetupState = Static<typeof SetupState>

export const setupOperations = {
  'GET /api/setup': {
    access: 'public',
    summary: 'Whether this site waits for its owner to set it up',
    response: { 200: Type.Object({ is_open: Type.Boolean() }) },
  },
  'POST /api/setup': {
    access: 'optionalMember',
    cacheControl: 'no-store',
    limit: 'sign_in',
    summary: 'Read or change the setup of a new site, with the token of its owner',
    body: Type.Union([
      Type.Object({ action: Type.Enum(['read', 'finish', 'skip', 'claim_admin']), token }, strict),
      Type.Object(
        {
          action: Type.Literal('save_name'),
          token,
          name: Type.String({ minLength: 1, maxLength: MAX_SITE_NAME_LENGTH }),
        },
        strict,
      ),
      Type.Object(
        {
          action: Type.Literal('save_discord'),
          token,
          client_id: Type.String({ maxLength: 100, title: 'Client ID' }),
          client_secret: Type.String({ maxLength: 200 }),
        },
        strict,
      ),
      Type.Object(
        {
          action: Type.Literal('save_backup'),
          token,
          target: Type.Union([Type.String({ maxLength: MAX_BACKUP_PATH_LENGTH }), Type.Null()], {
            title: 'Folder or bucket',
            description: 'An absolute path on the server, or `s3://bucket/prefix`. Null for no backups',
          }),
        },
        strict,
      ),
      Type.Object(
        { action: Type.Literal('save_admin'), token, discord_id: Type.String({ maxLength: 40, title: 'Discord ID' }) },
        strict,
      ),
    ]),
    response: { 200: SetupState },
  },
} as const satisfies Record<string, Operation>
