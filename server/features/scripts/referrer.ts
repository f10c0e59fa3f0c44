const MAX_HEADER_LENGTH = 2000
const MAX_HOST_LENGTH = 253

/** Host of the page that linked here, without `www.`: 'example.com'. Empty without one, and for pages of this site. */
export function referrerHost(header: string | undefined, ownHost: string): string {
  if (!header || header.length > MAX_HEADER_LENGTH || !URL.canParse(header)) return ''
  const { protocol, hostname, host } = new URL(header)
  const isForeign = (protocol === 'https:' || protocol === 'http:') && host !== ownHost
  return isForeign && hostname.length <= MAX_HOST_LENGTH ? hostname.replace(/^www\./, '') : ''
}
