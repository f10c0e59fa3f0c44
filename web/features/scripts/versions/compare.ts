import { diffLines } from 'diff'

export type LineKind = 'same' | 'added' | 'removed' | 'gap'

export interface DiffLine {
  kind: LineKind
  text: string
  /** Line numbers in the older and the newer code. */
  from: number | undefined
  to: number | undefined
}

export interface Comparison {
  lines: DiffLine[]
  added: number
  removed: number
  /** That there is more than is shown. */
  isCut: boolean
  /** That the two are too different for a comparison line by line: all of the middle is replaced. */
  isRough: boolean
}

const AROUND = 3
const MOST_LINES = 2000
const MOST_CHARACTERS = 400
/** Beyond that the search for the shortest comparison holds up the page, and the result is no longer read. */
const MOST_EDITS = 2000
const MOST_MS = 500

interface Part {
  kind: 'same' | 'added' | 'removed'
  lines: readonly string[]
}

/** Two codes line by line, with a few lines around each change. Bounded in time and in what it gives to be drawn. */
export function compare(older: string, newer: string): Comparison {
  const one = splitLines(older)
  const other = splitLines(newer)
  const head = countAlike(one, other)
  const tail = countAlike(one.slice(head).toReversed(), other.slice(head).toReversed())
  const { parts, isRough } = compareMiddle(one.slice(head, one.length - tail), other.slice(head, other.length - tail))
  const all: Part[] = [
    { kind: 'same', lines: one.slice(0, head) },
    ...parts,
    { kind: 'same', lines: one.slice(one.length - tail) },
  ]
  const lines = numberLines(all)
  const count = (kind: LineKind) => lines.filter((line) => line.kind === kind).length
  const shown = hideUnchanged(lines)
  return {
    lines: shown.slice(0, MOST_LINES).map((line) => ({ ...line, text: cut(line.text) })),
    added: count('added'),
    removed: count('removed'),
    isCut: shown.length > MOST_LINES || shown.some(({ text }) => text.length > MOST_CHARACTERS),
    isRough,
  }
}

function splitLines(code: string): string[] {
  if (code === '') return []
  const lines = code.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function countAlike(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && one[count] === other[count]) count += 1
  return count
}

function compareMiddle(one: string[], other: string[]): { parts: Part[]; isRough: boolean } {
  const found = diffLines(joined(one), joined(other), { maxEditLength: MOST_EDITS, timeout: MOST_MS })
  if (!found) {
    const parts: Part[] = [
      { kind: 'removed', lines: one },
      { kind: 'added', lines: other },
    ]
    return { parts, isRough: true }
  }
  const parts = found.map(({ added, removed, value }): Part => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.split('\n').slice(0, -1),
  }))
  return { parts, isRough: false }
}

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

function numberLines(parts: readonly Part[]): DiffLine[] {
  let from = 0
  let to = 0
  return parts.flatMap(({ kind, lines }) =>
    lines.map((text): DiffLine => {
      if (kind !== 'added') from += 1
      if (kind !== 'removed') to += 1
      return { kind, text, from: kind === 'added' ? undefined : from, to: kind === 'removed' ? undefined : to }
    }),
  )
}

function hideUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1)
  }
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (near[index] === 1) shown.push(line)
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '', from: undefined, to: undefined })
  }
  return shown
}

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text)
