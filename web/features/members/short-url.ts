import { cutText } from '#web/lib/cut-text.ts'

const MAX_LENGTH = 40

/** A checked web address in little room: without its scheme, www and the slash at its end. */
export function shortUrl(href: string): string {
  const { host, pathname, search, hash } = new URL(href)
  const rest = `${pathname}${search}${hash}`
  const text = `${host.replace(/^www\./, '')}${rest === '/' ? '' : rest.replace(/\/$/, '')}`
  const { head, rest: hidden } = cutText(text, MAX_LENGTH)
  return hidden === '' ? text : `${cutText(head, MAX_LENGTH - 1).head}…`
}
