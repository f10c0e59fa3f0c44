import { parseDayOrTime } from '@scriptyard/text'
import { MAX_SHOWCASE_NOTES_LENGTH } from '#contract/limits.ts'
import type { ShowcaseInput } from '#contract/showcases.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseOptionalText } from '#server/platform/http/text.ts'

const MIN_YEAR = 2000
const MAX_YEAR = 2100

const YOUTUBE_HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
const YOUTUBE_SHORT_HOST = 'youtu.be'
const YOUTUBE_PATHS = new Set(['embed', 'shorts', 'live', 'v'])
const VIDEO_ID = /^[\w-]{11}$/
const NOTES = { field: 'showcase_notes', label: 'Notes', maxLength: MAX_SHOWCASE_NOTES_LENGTH }

/** The columns that a form sets; empty video or notes clear the column. Throws AppError `invalid`. */
export function parseShowcase({ showcase_date, showcase_video_url, showcase_notes }: ShowcaseInput) {
  return {
    ...(showcase_date ? { showcase_date: parseDate(showcase_date) } : {}),
    ...(showcase_video_url === undefined
      ? {}
      : { showcase_video_url: showcase_video_url ? parseVideo(showcase_video_url) : null }),
    ...(showcase_notes === undefined ? {} : { showcase_notes: parseOptionalText(showcase_notes, NOTES) }),
  }
}

function parseDate(raw: string): Date {
  const date = parseDayOrTime(raw, '00:00:00.000', { mayLackZone: true })
  const year = date?.getUTCFullYear() ?? 0
  if (!date || year < MIN_YEAR || year > MAX_YEAR) throw fieldError('showcase_date', 'must be a day such as 2030-01-31')
  return date
}

function parseVideo(raw: string): string {
  const url = parseYoutubeLink(raw.trim())
  if (url === undefined)
    throw fieldError('showcase_video_url', 'must be a link to a YouTube video', 'YouTube video URL')
  return url
}

/** The canonical URL of a YouTube video; undefined if the link is none. */
export function parseYoutubeLink(link: string): string | undefined {
  const id = findVideoId(link)
  return id !== undefined && VIDEO_ID.test(id) ? `https://www.youtube.com/watch?v=${id}` : undefined
}

function findVideoId(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, hostname, pathname, searchParams, username, password } = new URL(link)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  const [first = '', second] = pathname.slice(1).split('/')
  if (hostname === YOUTUBE_SHORT_HOST) return first
  if (!YOUTUBE_HOSTS.has(hostname)) return undefined
  if (first === 'watch') return searchParams.get('v') ?? undefined
  return YOUTUBE_PATHS.has(first) ? second : undefined
}
