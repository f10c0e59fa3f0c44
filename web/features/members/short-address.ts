const MOST = 40

/** A checked web address in little room: without its scheme, www and the slash at its end. */
export function shortAddress(href: string): string {
  const { host, pathname, search, hash } = new URL(href)
  const rest = `${pathname}${search}${hash}`
  const text = `${host.replace(/^www\./, '')}${rest === '/' ? '' : rest.replace(/\/$/, '')}`
  const characters = [...text]
  return characters.length > MOST ? `${characters.slice(0, MOST - 1).join('')}…` : text
}
