import Type, { type Static } from 'typebox'
import {
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_GAME_ID_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from './limits.ts'

// Lengths are in the descriptions and not in the schema: they hold for the trimmed text, and the server names every field
// that is wrong in one answer, each with a sentence for whoever fills in the form.

const maybe = <T extends ReturnType<typeof Type.String>>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const flag = Type.Optional(Type.Boolean())

const fields = {
  title: Type.String({ description: `1 to ${MAX_TITLE_LENGTH} characters on one line` }),
  description: Type.String({ description: `1 to ${MAX_DESCRIPTION_LENGTH} characters` }),
  script_content: Type.String({ description: 'Luau, 1 byte to 1 MiB of UTF-8, kept byte for byte' }),
}

const optional = {
  version: Type.Optional(Type.String({ description: `1 to ${MAX_VERSION_LENGTH} characters` })),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.String({ maxLength: 10_000 })], {
      description: `Names as a list, or as a list written in JSON; at most ${MAX_TAGS} of 1 to ${MAX_TAG_LENGTH} characters without a comma`,
    }),
  ),
  image: maybe(Type.String({ description: 'A data URL, an address that /api/media answered, or empty' })),
  has_key_system: flag,
  key_system_url: maybe(
    Type.String({ description: `http or https, at most ${MAX_URL_LENGTH} characters; only with the key system` }),
  ),
  is_universal: flag,
  game_id: maybe(
    Type.String({ description: `1 to ${MAX_GAME_ID_LENGTH} digits; only where the script is not universal` }),
  ),
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
    changelog: maybe(
      Type.String({
        description: `A line on what changed, at most ${MAX_CHANGELOG_LENGTH} characters; kept with a new version of the code or its number`,
      }),
    ),
    base_updated_at: Type.Optional(
      Type.String({
        description:
          '`updated_at` of what was edited; 409 `changed_meanwhile` when that is no longer the present state. Without it the last save wins',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ScriptChange = Static<typeof ScriptChange>
