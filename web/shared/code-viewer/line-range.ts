/** Lines of code, counted from 1, first and last included. */
export interface LineRange {
  first: number
  last: number
}

const HASH = /^#?L?(\d{1,7})(?:-L?(\d{1,7}))?$/i

/** Reads `#L12` or `#L12-L20`, with or without `#` and `L`. Undefined if it is neither. */
export function parseLines(text: string): LineRange | undefined {
  const [, from, to = from] = HASH.exec(text.trim()) ?? []
  const [a, b] = [Number(from), Number(to)]
  if (!a || !b) return undefined
  return { first: Math.min(a, b), last: Math.max(a, b) }
}

export const lineHash = ({ first, last }: LineRange): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)
