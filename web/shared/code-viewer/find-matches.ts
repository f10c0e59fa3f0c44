/** A part of the code, in UTF-16 units. */
export interface CodeMatch {
  from: number
  to: number
}

export const MAX_MATCHES = 10_000

/** The places of a text in code, ignoring case, at most MAX_MATCHES. */
export function findMatches(code: string, text: string): CodeMatch[] {
  if (text === '') return []
  const pattern = new RegExp(text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&'), 'giu')
  const matches: CodeMatch[] = []
  for (const match of code.matchAll(pattern)) {
    matches.push({ from: match.index, to: match.index + match[0].length })
    if (matches.length === MAX_MATCHES) break
  }
  return matches
}
