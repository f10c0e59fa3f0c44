// Feeds as Atom 1.0 (RFC 4287) and JSON Feed 1.1.
import type { JsonFeed } from '#contract/feeds.ts'
import { element, escapeXml, textElement, XML_DECLARATION } from '#server/platform/http/xml.ts'

export interface FeedAuthor {
  name: string
  /** Absolute, as all URLs of a feed. */
  url?: string
  avatar?: string
}

export interface FeedEntry {
  /** A URL that never changes. */
  id: string
  url: string
  title: string
  summary?: string
  /** HTML without anything that could run. */
  html: string
  published: Date
  updated: Date
  author?: FeedAuthor
  tags?: readonly string[]
  image?: string
}

export interface Feed {
  title: string
  description: string
  homeUrl: string
  /** The author of entries without one. */
  author: FeedAuthor
  iconUrl: string
  entries: readonly FeedEntry[]
}

/** For a feed without entries, which must have a time, too. */
const NEVER = new Date(0)

/** `url` is the URL of the feed, and `otherUrl` that of its JSON form. */
export function toAtom(feed: Feed, url: string, otherUrl: string): string {
  const updated = feed.entries.reduce((newest, entry) => (entry.updated > newest ? entry.updated : newest), NEVER)
  const head = [
    textElement('id', url),
    textElement('title', feed.title),
    textElement('subtitle', feed.description),
    textElement('updated', updated.toISOString()),
    element('link', { rel: 'self', type: 'application/atom+xml', href: url }),
    element('link', { rel: 'alternate', type: 'text/html', href: feed.homeUrl }),
    element('link', { rel: 'alternate', type: 'application/feed+json', href: otherUrl }),
    textElement('icon', feed.iconUrl),
    writeAuthor(feed.author),
  ]
  const content = [...head, ...feed.entries.map(writeEntry)].join('\n')
  return `${XML_DECLARATION}${element('feed', { xmlns: 'http://www.w3.org/2005/Atom' }, `\n${content}\n`)}\n`
}

function writeEntry({ image, author, ...entry }: FeedEntry): string {
  const parts = [
    textElement('id', entry.id),
    textElement('title', entry.title),
    textElement('published', entry.published.toISOString()),
    textElement('updated', entry.updated.toISOString()),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.url }),
    ...(image === undefined ? [] : [element('link', { rel: 'enclosure', type: 'image/webp', href: image })]),
    ...(author ? [writeAuthor(author)] : []),
    ...(entry.tags ?? []).map((tag) => element('category', { term: tag })),
    ...(entry.summary === undefined ? [] : [textElement('summary', entry.summary)]),
    textElement('content', withImage(entry.html, image), { type: 'html' }),
  ]
  return element('entry', {}, `\n${parts.join('\n')}\n`)
}

const writeAuthor = ({ name, url }: FeedAuthor): string =>
  element('author', {}, textElement('name', name) + (url === undefined ? '' : textElement('uri', url)))

/** Most readers of Atom show images in the content only. */
const withImage = (html: string, image: string | undefined): string =>
  image === undefined ? html : `<p><img src="${escapeXml(image)}" alt=""></p>${html}`

export function toJsonFeed(feed: Feed, url: string): string {
  const json: JsonFeed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.homeUrl,
    feed_url: url,
    icon: feed.iconUrl,
    authors: [feed.author],
    items: feed.entries.map(({ html, published, updated, author, tags, image, ...entry }) => ({
      ...entry,
      content_html: html,
      date_published: published.toISOString(),
      date_modified: updated.toISOString(),
      ...(image === undefined ? {} : { image }),
      ...(author ? { authors: [author] } : {}),
      ...(tags && tags.length > 0 ? { tags: [...tags] } : {}),
    })),
  }
  return JSON.stringify(json)
}
