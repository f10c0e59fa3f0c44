import { diffLines } from 'diff'

export type LineKind = 'same' | 'added' | 'removed' | 'gap'

export interface DiffLine {
  kind: LineKind
  text: string
  /** Line numbers in the older and the newer version. */
  from: number | undefined
  to: number | undefined
  /** The unchanged lines that a gap hides. */
  hidden: readonly DiffLine[]
}

export interface Comparison {
  lines: DiffLine[]
  added: number
  removed: number
  /** Whether lines or parts of lines are hidden. */
  isCut: boolean
  /** Whether the versions were too different to compare line by line. Everything between the common start and end counts as replaced. */
  isApproximate: boolean
}

const CONTEXT_LINES = 3
const MAX_LINES = 2000
const MAX_LINE_LENGTH = 400
/** Limits of the diff search, which would block the page for very different versions. */
const MAX_EDITS = 2000
const TIMEOUT_MS = 500

interface Part {
  kind: 'same' | 'added' | 'removed'
  lines: readonly string[]
}

/** Compares two versions line by line, with three lines of context around each change. Time and output are bounded. */
export function compare(older: string, newer: string): Comparison {
  const oldLines = splitLines(older)
  const newLines = splitLines(newer)
  const head = commonPrefixLength(oldLines, newLines)
  const tail = commonPrefixLength(oldLines.slice(head).toReversed(), newLines.slice(head).toReversed())
  const { parts, isApproximate } = compareMiddle(
    oldLines.slice(head, oldLines.length - tail),
    newLines.slice(head, newLines.length - tail),
  )
  const all: Part[] = [
    { kind: 'same', lines: oldLines.slice(0, head) },
    ...parts,
    { kind: 'same', lines: oldLines.slice(oldLines.length - tail) },
  ]
  const lines = numberLines(all)
  const count = (kind: LineKind) => lines.filter((line) => line.kind === kind).length
  const shown = hideUnchanged(lines)
  return {
    lines: shown.slice(0, MAX_LINES),
    added: count('added'),
    removed: count('removed'),
    isCut: shown.length > MAX_LINES || shown.some(({ text }) => text.length > MAX_LINE_LENGTH),
    isApproximate,
  }
}

function splitLines(code: string): string[] {
  if (code === '') return []
  const lines = code.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function commonPrefixLength(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length)
  let count = 0
  while (count < limit && a[count] === b[count]) count += 1
  return count
}

function compareMiddle(oldLines: string[], newLines: string[]): { parts: Part[]; isApproximate: boolean } {
  const changes = diffLines(join(oldLines), join(newLines), { maxEditLength: MAX_EDITS, timeout: TIMEOUT_MS })
  if (!changes) {
    const parts: Part[] = [
      { kind: 'removed', lines: oldLines },
      { kind: 'added', lines: newLines },
    ]
    return { parts, isApproximate: true }
  }
  const parts = changes.map(({ added, removed, value }): Part => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.split('\n').slice(0, -1),
  }))
  return { parts, isApproximate: false }
}

const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

function numberLines(parts: readonly Part[]): DiffLine[] {
  let from = 0
  let to = 0
  return parts.flatMap(({ kind, lines }) =>
    lines.map((text): DiffLine => {
      if (kind !== 'added') from += 1
      if (kind !== 'removed') to += 1
      const numbers = { from: kind === 'added' ? undefined : from, to: kind === 'removed' ? undefined : to }
      return { kind, text: cut(text), ...numbers, hidden: [] }
    }),
  )
}

function hideUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
  }
  const shown: DiffLine[] = []
  let hidden: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (isNear[index] === 1) {
      shown.push(line)
      hidden = []
      continue
    }
    if (hidden.length === 0) shown.push({ kind: 'gap', text: '', from: undefined, to: undefined, hidden })
    hidden.push(line)
  }
  return shown
}

const cut = (text: string): string => (text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text)
