import type { ShowcaseInput } from '#contract/showcases.ts'
import { AppError } from '#server/http/errors.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/
const FORBIDDEN = /[\p{Cc}--[\t\n\r]]/v

function refuse(field: string, reason: string): never {
  throw new AppError('invalid', 400, `'${field}' ${reason}.`, { fields: { [field]: reason } })
}

function readDate(given: string): Date {
  const date = new Date(DATE.test(given) ? given : Number.NaN)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year) || year < 2000 || year > 2100) refuse('showcase_date', 'must be a day such as 2030-01-31')
  return date
}

function readNotes(given: string): string {
  if (FORBIDDEN.test(given)) refuse('showcase_notes', 'contains characters that are not allowed')
  return given.trim()
}

function readVideo(given: string): string {
  return parseYoutubeLink(given.trim()) ?? refuse('showcase_video_url', 'must be the address of a YouTube video')
}

/** What a form says of a showcase; empty text takes a detail away. Throws AppError `invalid`. */
export function parseShowcase({ showcase_date, showcase_video_url, showcase_notes }: ShowcaseInput) {
  return {
    ...(showcase_date ? { showcase_date: readDate(showcase_date) } : {}),
    ...(showcase_video_url === undefined
      ? {}
      : { showcase_video_url: showcase_video_url ? readVideo(showcase_video_url) : null }),
    ...(showcase_notes === undefined ? {} : { showcase_notes: showcase_notes ? readNotes(showcase_notes) : null }),
  }
}

const VIDEO_ID = /^[\w-]{11}$/
const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
const SHORT = 'youtu.be'
const BEFORE_ID = new Set(['embed', 'shorts', 'live', 'v'])

/** The address of a YouTube video, rebuilt from its id alone; undefined for a link that names none. */
export function parseYoutubeLink(link: string): string | undefined {
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
