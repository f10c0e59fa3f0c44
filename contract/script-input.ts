import Type, { type Static } from 'typebox'
import {
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from './limits.ts'

const maybe = <T extends ReturnType<typeof Type.String>>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const flag = Type.Optional(Type.Boolean())

const fields = {
  title: Type.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH }),
  description: Type.String({ minLength: 1, maxLength: MAX_DESCRIPTION_LENGTH }),
  script_content: Type.String({ minLength: 1, description: 'Luau, at most 1 MiB of UTF-8' }),
}

const optional = {
  version: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_VERSION_LENGTH })),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.String({ maxLength: 2000 })], {
      description: 'Names, as a list or as a list written in JSON',
    }),
  ),
  image: maybe(Type.String({ description: 'A data URL, an address that /api/media answered, or empty' })),
  has_key_system: flag,
  key_system_url: maybe(Type.String({ maxLength: MAX_URL_LENGTH })),
  is_universal: flag,
  game_id: maybe(Type.String({ maxLength: 20, description: 'Digits; only where the script is not universal' })),
  is_client_side: flag,
  is_free: flag,
  is_public: flag,
  is_mobile_compatible: flag,
  is_working: flag,
}

export const NewScript = Type.Object({ ...fields, ...optional }, { additionalProperties: false })
export type NewScript = Static<typeof NewScript>

/** What is left out stays as it is. */
export const ScriptChange = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    ...optional,
    changelog: maybe(Type.String({ maxLength: MAX_CHANGELOG_LENGTH, description: 'A line on what changed' })),
    base_updated_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          '`updated_at` of what was edited; 409 `changed_meanwhile` when that is no longer the present state',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ScriptChange = Static<typeof ScriptChange>
