/** Characters without a width, which a reader does not see. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Characters that look like a full stop, or that browsers replace with one. */
const DOTS = /[。۔܁܂ꓸ꘎]/gu
const AUTHORITY = /^(.*?:\/\/)?([^/?#\\]*)(.*)$/su
const SEPARATORS = /(?:[^\p{L}\p{M}\p{N}_.-]|\.{2,})+/u
const TRAILING = /(?<![.,;:!?'"*)}>])[.,;:!?'"*)}>]+$/
const DOMAIN = /^\p{L}[\p{L}\p{M}\p{N}-]+$/u
const ADDRESS = /^\d+(?:\.\d+){3}$/
/** Names of files, which the text of a link often is. None of the endings is a top-level domain. */
const FILE = /\.(?:luau?|txt|json|png|jpe?g|gif|webp)$/i

/** Whether a text that links to `href` has the name of another site in it, with or without a scheme. */
export function namesOtherHost(label: string, href: string): boolean {
  const text = label.replaceAll(/\s/g, ' ').normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(DOTS, '.')
  const host = siteOf(href)
  return text
    .split(' ')
    .flatMap(hostsIn)
    .some((name) => siteOf(`https://${name}`) !== host)
}

/** What looks like a host in a word. A path after a host is not one. */
function hostsIn(word: string): string[] {
  const [, scheme, authority = '', path = ''] = AUTHORITY.exec(word) ?? []
  const hosts = domainsIn(authority)
  if (scheme && authority) return [authority.replace(TRAILING, ''), ...hosts]
  return hosts.length > 0 ? hosts : domainsIn(path)
}

const domainsIn = (text: string): string[] =>
  text
    .split(SEPARATORS)
    .map((name) => name.replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, ''))
    .filter(isDomain)

function isDomain(name: string): boolean {
  const last = name.lastIndexOf('.')
  return last > 0 && (DOMAIN.test(name.slice(last + 1)) || ADDRESS.test(name)) && !FILE.test(name)
}

/** The host of a URL, which is the same with and without `www.`. */
const siteOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined)
