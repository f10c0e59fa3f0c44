import { FLAGS } from '#contract/catalogue-names.ts'

/** The only query parameters that any page reads. All others change nothing, so they must not make new cache entries. */
const PARAMETERS = ['order', 'page', 'search', 'sort', 'tab', 'tags', ...FLAGS].toSorted()
const MAX_VALUE = 400

/** A page's address with the parameters that matter, each once, in one order. */
export function normaliseAddress(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const given = new URLSearchParams(url.slice(mark + 1))
  const kept = new URLSearchParams()
  for (const name of PARAMETERS) {
    const value = given.get(name)
    if (value) kept.set(name, value.slice(0, MAX_VALUE))
  }
  const path = url.slice(0, mark)
  return kept.size > 0 ? `${path}?${kept}` : path
}
