import Type, { type Static } from 'typebox'
import {
  MAX_LINK_LABEL_LENGTH,
  MAX_LOGO_BODY_BYTES,
  MAX_SITE_LINKS,
  MAX_SITE_NAME_LENGTH,
  MAX_SITE_TEXT_LENGTH,
  MAX_TAGLINE_LENGTH,
  MAX_URL_LENGTH,
} from './limits.ts'
import { nullableText, strict, type Operation } from './operation.ts'
import { SiteLink } from './site.ts'

const textUpTo = (maxLength: number, title?: string) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], title ? { title } : {})
const color = (title: string) =>
  Type.Union([Type.String({ maxLength: 7, description: 'As #rrggbb' }), Type.Null()], { title })

/** What admins may change about the look of the site. Null is the default. */
const fields = {
  name: textUpTo(MAX_SITE_NAME_LENGTH),
  tagline: textUpTo(MAX_TAGLINE_LENGTH, 'Text on the home page'),
  accent_dark: color('Accent color of the dark theme'),
  accent_light: color('Accent color of the light theme'),
  chat_url: textUpTo(MAX_URL_LENGTH, 'Chat link'),
  links: Type.Array(
    Type.Object(
      {
        label: Type.String({ maxLength: MAX_LINK_LABEL_LENGTH }),
        url: Type.String({ maxLength: MAX_URL_LENGTH }),
        in_header: Type.Boolean(),
      },
      strict,
    ),
    { maxItems: MAX_SITE_LINKS },
  ),
  rules: textUpTo(MAX_SITE_TEXT_LENGTH),
  terms: textUpTo(MAX_SITE_TEXT_LENGTH, 'Terms of Service'),
  privacy: textUpTo(MAX_SITE_TEXT_LENGTH, 'Privacy Policy'),
}

export const Branding = Type.Object({
  version: Type.Integer({ description: 'Rises with each change' }),
  ...fields,
  links: Type.Array(SiteLink),
  logo: Type.Union([Type.String(), Type.Null()], { description: 'Path of the logo, or null for the default' }),
  defaults: Type.Object({ name: Type.String(), tagline: Type.String(), chat_url: nullableText }),
})
export type Branding = Static<typeof Branding>

export const brandingOperations = {
  'GET /api/branding': {
    access: 'admin',
    summary: 'What admins changed about the look of the site (admins)',
    response: { 200: Branding },
  },
  'PUT /api/branding': {
    access: 'admin',
    summary: 'Change the look of the site; all fields except the logo are replaced (admins)',
    maxBodyBytes: MAX_LOGO_BODY_BYTES,
    body: Type.Object(
      {
        version: Type.Integer({ minimum: 0, description: 'The version that the changes are based on' }),
        ...fields,
        logo: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description: 'A data URL of a PNG, JPEG, WebP or SVG; null restores the default',
          }),
        ),
      },
      strict,
    ),
    response: { 200: Branding },
  },
} as const satisfies Record<string, Operation>
