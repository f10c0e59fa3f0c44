/** The paths of the feeds, without `.atom` or `.json`. */
export const FEED_PATHS = {
  scripts: '/feeds/scripts',
  versions: '/feeds/versions',
  giveaways: '/feeds/giveaways',
  withdrawn: '/feeds/withdrawn',
} as const

/** Path of an Atom feed with this query string, with its question mark if it isn't empty. */
export const atomFeed = (name: keyof typeof FEED_PATHS, query = ''): string => `${FEED_PATHS[name]}.atom${query}`
