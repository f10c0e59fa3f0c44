const VIDEO_ID = /^[\w-]{11}$/
const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
const SHORT = 'youtu.be'
const BEFORE_ID = new Set(['embed', 'shorts', 'live', 'v'])

/** The address of a YouTube video, rebuilt from its id alone; undefined for a link that names none. */
export function readYoutubeLink(link: string): string | undefined {
  const id = findVideoId(link)
  return id !== undefined && VIDEO_ID.test(id) ? `https://www.youtube.com/watch?v=${id}` : undefined
}

function findVideoId(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, hostname, pathname, searchParams, username, password } = new URL(link)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  const [first = '', second] = pathname.slice(1).split('/')
  if (hostname === SHORT) return first
  if (!HOSTS.has(hostname)) return undefined
  if (first === 'watch') return searchParams.get('v') ?? undefined
  return BEFORE_ID.has(first) ? second : undefined
}
