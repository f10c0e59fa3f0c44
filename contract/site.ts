import Type, { type Static } from 'typebox'
import { nullableText, type Operation, strict } from './operation.ts'

export const SiteLink = Type.Object({
  label: Type.String(),
  url: Type.String({ description: 'An https URL, or a path of this site' }),
  in_header: Type.Boolean({ description: 'Whether the header shows it, too' }),
})
export type SiteLink = Static<typeof SiteLink>

/** Pages whose text admins may write, over a default text. */
export const SITE_TEXTS = ['rules', 'terms', 'privacy'] as const
export type SiteText = (typeof SITE_TEXTS)[number]

export const Site = Type.Object({
  name: Type.String(),
  public_url: Type.String({ description: 'Without a trailing slash' }),
  has_chat: Type.Boolean({ description: 'Whether /discord redirects to a chat invite' }),
  has_email: Type.Boolean({ description: 'Whether the site sends email' }),
  discord_cdn_url: Type.String(),
  tagline: Type.String({ description: 'The sentence on the home page' }),
  logo: Type.Union([Type.String(), Type.Null()], { description: 'Path of the logo, or null for the default' }),
  links: Type.Array(SiteLink),
  look: Type.Object(
    {
      theme_color: Type.String(),
      stylesheet: Type.Union([Type.String(), Type.Null()], { description: 'Path of the colors that admins chose' }),
      icons: Type.Union([Type.String(), Type.Null()], {
        description: 'Path of the icons before their size and `.png`',
      }),
      preview_image: Type.String({ description: 'Path of the image in link previews' }),
    },
    { description: 'For the pages of this site. Null is the default' },
  ),
  has_rules: Type.Boolean({ description: 'Always true: without rules of its own, a site has the default ones' }),
})
export type Site = Static<typeof Site>

export const siteOperations = {
  'GET /api/site': {
    access: 'public',
    stable: { route: 'GET /api/v1/site' },
    summary: 'Name and URLs of this site',
    response: { 200: Site },
  },
  'GET /api/site-text': {
    access: 'public',
    summary: 'The rules or a legal page, as Markdown; null if this site has the default text',
    query: Type.Object({ name: Type.Enum([...SITE_TEXTS]) }),
    response: { 200: Type.Object({ text: nullableText }) },
  },
  'POST /api/page-errors': {
    access: 'public',
    limit: 'read',
    summary:
      'Report, for the log of the site, that a browser could not use the HTML of a page. Used by the pages themselves',
    body: Type.Object(
      {
        page: Type.String({ maxLength: 100, description: 'Name of the page in the build, not its URL' }),
        build: Type.String({ maxLength: 100, description: "File name of the build's first script" }),
        kind: Type.Enum(['text', 'elements', 'other'], {
          description: 'What differed from the HTML that the server sent',
        }),
      },
      strict,
    ),
    maxBodyBytes: 512,
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>

export const mediaOperations = {
  'POST /api/media': {
    access: 'notMuted',
    limit: 'upload',
    tolerant: true,
    scope: 'scripts:write',
    summary: 'Upload an image as multipart field `file`; the response has the URLs to use in other calls',
    response: { 201: Type.Object({ url: Type.String(), url_card: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
