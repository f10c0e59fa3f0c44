import Type, { type Static, type TSchema } from 'typebox'
import { MAX_DECLARED_HOSTS } from './behavior-names.ts'
import {
  MAX_CHANGELOG_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_GAME_ID_LENGTH,
  MAX_GAME_NAME_LENGTH,
  MAX_REQUIREMENTS_LENGTH,
  MAX_SCREENSHOT_ALT_LENGTH,
  MAX_SCREENSHOTS,
  MAX_SUBJECT_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
} from './limits.ts'
import { digits, nonEmpty, strict } from './operation.ts'
import { type License, LICENSES, PLACEMENTS, SCRIPT_TYPES } from './script-kinds.ts'

// Lengths are described but not enforced by the schema: they apply to the trimmed text, and the server reports all
// invalid fields in one response, each with a sentence for people.

const maybe = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const flag = Type.Optional(Type.Boolean())

const fields = {
  title: Type.String({ description: `1 to ${MAX_TITLE_LENGTH} characters on one line` }),
  description: Type.String({ description: `1 to ${MAX_DESCRIPTION_LENGTH} characters` }),
  script_content: Type.String({
    description: 'Luau, 1 byte to 1 MiB of UTF-8, stored byte for byte but without a byte order mark',
  }),
}

const NewScreenshot = Type.Object(
  {
    image: Type.String({ maxLength: 160, description: 'A URL returned by /api/media' }),
    alt: maybe(
      Type.String({
        description: `What it shows, on one line of at most ${MAX_SCREENSHOT_ALT_LENGTH} characters; null or empty for a text made from the title`,
      }),
    ),
  },
  strict,
)
export type NewScreenshot = Static<typeof NewScreenshot>

/** What the author says that the code does. */
export const declarationFields = {
  declared_capabilities: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description:
        'Ids of what the code does, as in `GET /api/script-behavior`. An empty list says that it does nothing that needs a declaration',
    }),
  ),
  declared_hosts: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: `Hosts that the code contacts, as names or URLs, at most ${MAX_DECLARED_HOSTS}`,
    }),
  ),
}

const optional = {
  summary: maybe(
    Type.String({
      description: `What it does, on one line of at most ${MAX_SUMMARY_LENGTH} characters; null or empty for the first sentence of the description`,
    }),
  ),
  version: Type.Optional(nonEmpty({ description: `1 to ${MAX_VERSION_LENGTH} characters` })),
  tags: Type.Optional(
    Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.String({ maxLength: 10_000 })], {
      description: `Names as an array, or as a JSON array in a string; at most ${MAX_TAGS} of 1 to ${MAX_TAG_LENGTH} characters without a comma`,
    }),
  ),
  image: maybe(Type.String({ description: 'A data URL, a URL returned by /api/media, or empty' })),
  screenshots: Type.Optional(
    Type.Array(NewScreenshot, {
      maxItems: 100,
      description: `Images besides the cover, in order, at most ${MAX_SCREENSHOTS}. They replace the former ones`,
    }),
  ),
  has_key_system: flag,
  key_system_url: maybe(
    Type.String({ description: `http or https, at most ${MAX_URL_LENGTH} characters; only if has_key_system is true` }),
  ),
  license: maybe(Type.Enum(Object.keys(LICENSES) as License[], { description: 'SPDX identifier' })),
  script_type: maybe(Type.Enum([...SCRIPT_TYPES])),
  placement: maybe(Type.Enum([...PLACEMENTS], { description: 'Where the script goes' })),
  requirements: maybe(
    Type.String({ description: `What else it needs, at most ${MAX_REQUIREMENTS_LENGTH} characters` }),
  ),
  is_universal: flag,
  game_id: maybe(digits({ description: `1 to ${MAX_GAME_ID_LENGTH} digits; only if is_universal is false` })),
  game_name: maybe(
    Type.String({
      description: `Name of the game, at most ${MAX_GAME_NAME_LENGTH} characters; ignored if the game has a name already`,
    }),
  ),
  is_client_side: flag,
  is_free: flag,
  is_public: flag,
  is_unlisted: Type.Optional(
    Type.Boolean({
      description: 'Leave it out of lists, searches and feeds; a public script is reachable by its address',
    }),
  ),
  is_mobile_compatible: flag,
  is_working: flag,
  ...declarationFields,
}

const changelog = maybe(
  Type.String({
    description: `What changed, as Markdown of at most ${MAX_CHANGELOG_LENGTH} characters. The first line is the subject, at most ${MAX_SUBJECT_LENGTH} characters, which lists, feeds and webhooks show. Stored if the code or version number changes`,
  }),
)

const versionNumber = (which: string, otherwise: string) =>
  Type.Optional(
    nonEmpty({
      description: `1 to ${MAX_VERSION_LENGTH} characters; 409 \`version_exists\` if ${which} has this number. ${otherwise}`,
    }),
  )

export const NewScript = Type.Object({ ...fields, ...optional }, strict)
export type NewScript = Static<typeof NewScript>

/** Omitted fields stay as they are. */
export const ScriptChange = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    ...optional,
    version: versionNumber('an earlier version', 'If omitted or the current number, changed code gets the next number'),
    changelog,
    successor_slug: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'A public script that replaces this one, whose page names it; null for none',
      }),
    ),
    base_updated_at: Type.Optional(
      Type.String({
        description:
          '`updated_at` of the edited state; 409 `changed_meanwhile` if the script has changed since. If omitted, the last save wins',
      }),
    ),
  },
  strict,
)
export type ScriptChange = Static<typeof ScriptChange>

/** The code that is to be the current version. An omitted declaration stays as it is. */
export const PutVersion = Type.Object(
  {
    script_content: fields.script_content,
    version: versionNumber('a version', 'If omitted, the next number'),
    changelog,
    ...declarationFields,
  },
  strict,
)
export type PutVersion = Static<typeof PutVersion>
