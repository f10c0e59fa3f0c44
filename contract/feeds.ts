import Type, { type Static } from 'typebox'
import { ListQuery } from './catalogue.ts'
import { id, type Operation, time } from './operation.ts'

export const FEED_LENGTH = 30

export const FeedQuery = Type.Omit(ListQuery, ['page', 'limit'])
export type FeedQuery = Static<typeof FeedQuery>

const author = Type.Object({
  name: Type.String(),
  url: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
})

/** A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export const JsonFeed = Type.Object({
  version: Type.String({ description: 'URL of the version of the format' }),
  title: Type.String(),
  description: Type.String(),
  home_page_url: Type.String({ description: 'The page with the same content' }),
  feed_url: Type.String(),
  icon: Type.String(),
  authors: Type.Array(author),
  items: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Never changes, unlike the URL' }),
      url: Type.String(),
      title: Type.String(),
      summary: Type.Optional(Type.String()),
      content_html: Type.String(),
      image: Type.Optional(Type.String()),
      date_published: time,
      date_modified: time,
      authors: Type.Optional(Type.Array(author)),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  ),
})
export type JsonFeed = Static<typeof JsonFeed>

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'
export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8'

// Feed readers add parameters of their own, and people make a feed of the URL of a list, with its page.
const atom = {
  cacheControl: 'public, no-cache',
  tolerant: true,
  contentType: ATOM_TYPE,
  response: { 200: Type.String({ description: 'Atom 1.0' }) },
} as const
const json = {
  cacheControl: 'public, no-cache',
  tolerant: true,
  contentType: JSON_FEED_TYPE,
  response: { 200: JsonFeed },
} as const

const scripts = {
  summary: `The first ${FEED_LENGTH} scripts of any list, the newest by default. \`?sort=trending\` are the trending ones, \`?tags=\`, \`?author=\` and \`?search=\` those of a tag, an author and a search`,
  query: FeedQuery,
}
const versions = {
  summary: `The last ${FEED_LENGTH} versions of a public script, with their changelogs and changes in behavior`,
  query: Type.Object({ id }),
}
const giveaways = { summary: `The last ${FEED_LENGTH} giveaways` }

export const feedOperations = {
  'GET /feeds/scripts.atom': { access: 'public', ...scripts, ...atom },
  'GET /feeds/scripts.json': { access: 'public', ...scripts, ...json },
  'GET /feeds/versions.atom': { access: 'public', ...versions, ...atom },
  'GET /feeds/versions.json': { access: 'public', ...versions, ...json },
  'GET /feeds/giveaways.atom': { access: 'public', ...giveaways, ...atom },
  'GET /feeds/giveaways.json': { access: 'public', ...giveaways, ...json },
} as const satisfies Record<string, Operation>
