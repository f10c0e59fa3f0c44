export interface StoredPage {
  /** With its query. */
  path: string
  title: string
}

const TITLE = /<title>([^<]*)<\/title>/

/** The pages that the service worker has stored, the last one first. */
export async function findStoredPages(): Promise<StoredPage[]> {
  const cache = await caches.open('pages')
  const requests = await cache.keys()
  const pages = await Promise.all(
    requests.map(async (request) => {
      const { pathname, search } = new URL(request.url)
      const response = await cache.match(request)
      const title = TITLE.exec((await response?.text()) ?? '')?.[1]
      return title === undefined || pathname === '/offline' ? [] : [{ path: pathname + search, title: decode(title) }]
    }),
  )
  return pages.flat().toReversed()
}

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Undoes what React escapes. */
const decode = (html: string): string =>
  html.replace(/&(#?\w+);/g, (escaped, name: string) => CHARACTERS[name] ?? escaped)
