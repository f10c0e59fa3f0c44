/** One entity tag of a list, in the form of RFC 9110. A tag may contain commas. */
const TAG = /^[\t ]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?:,|$)/

/**
 * Whether `If-None-Match` names the current representation, so that the client needs no other. Weak comparison (RFC 9110,
 * sections 8.8.3.2 and 13.1.2): `*` matches any tag, and `W/` does not count. Malformed headers match nothing.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const tag = etag.replace(/^W\//, '')
  let isFound = false
  for (let rest = header; rest.trim() !== '';) {
    const [element, value] = TAG.exec(rest) ?? skipEmpty(rest)
    if (element === undefined) return false
    if (value === tag) isFound = true
    rest = rest.slice(element.length)
  }
  return isFound
}

/** Empty elements of a list are ignored (RFC 9110, section 5.6.1.2). */
const skipEmpty = (list: string): readonly (string | undefined)[] => /^[\t ]*,/.exec(list) ?? []
