import type { CaseFinding } from '#contract/reports.ts'

/** Lines around a finding that are shown with it. */
const CONTEXT = 3
/** Longer lines are cut around the host. */
const MAX_LENGTH = 240

/** Lines of code with what was found in them. */
export interface Snippet {
  /** Counts from 1. */
  first: number
  last: number
  findings: CaseFinding[]
}

/** Findings with a line as snippets in the order of the code, those that are close together as one, and the others. */
export function groupFindings(
  findings: readonly CaseFinding[],
  lineCount: number,
): { snippets: Snippet[]; others: CaseFinding[] } {
  const isInCode = ({ line }: CaseFinding) => line !== null && line <= lineCount
  const snippets: Snippet[] = []
  for (const finding of findings.filter(isInCode).toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))) {
    const line = finding.line ?? 1
    const last = Math.min(lineCount, line + CONTEXT)
    const previous = snippets.at(-1)
    if (previous && line - CONTEXT <= previous.last + 1) {
      previous.last = last
      previous.findings.push(finding)
    } else snippets.push({ first: Math.max(1, line - CONTEXT), last, findings: [finding] })
  }
  return { snippets, others: findings.filter((finding) => !isInCode(finding)) }
}

/** Findings of the same kind in one snippet or list, with their hosts and lines: `discord.com, lines 4 and 9`. */
export interface FindingGroup {
  id: CaseFinding['id']
  where: string
  details: string[]
}

export function groupByKind(findings: readonly CaseFinding[]): FindingGroup[] {
  const kinds = new Map<CaseFinding['id'], CaseFinding[]>()
  for (const finding of findings) kinds.set(finding.id, [...(kinds.get(finding.id) ?? []), finding])
  return Array.from(kinds, ([id, members]) => ({
    id,
    where: describeWhere(members),
    details: [...new Set(members.map(({ detail }) => detail).filter((detail) => detail !== ''))],
  }))
}

/** The hosts and lines of findings; empty without both. */
export function describeWhere(findings: readonly Pick<CaseFinding, 'host' | 'line'>[]): string {
  const hosts = [...new Set(findings.flatMap(({ host }) => host ?? []))]
  const lines = [...new Set(findings.flatMap(({ line }) => line ?? []))].toSorted((a, b) => a - b)
  const lineText = lines.length === 0 ? [] : [`${lines.length === 1 ? 'line' : 'lines'} ${join(lines.map(String))}`]
  return [...hosts, ...lineText].join(', ')
}

function join(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

interface Piece {
  text: string
  isHost: boolean
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Splits text at the hosts, wherever they are written in it, without regard to case. */
export function splitAtHosts(text: string, hosts: readonly string[]): Piece[] {
  const names = hosts.filter((host) => host !== '').map((host) => escape(host))
  if (names.length === 0) return [{ text, isHost: false }]
  // Splitting by a capturing group puts the separators at the odd indexes.
  return text
    .split(new RegExp(`(${names.join('|')})`, 'i'))
    .map((piece, index) => ({ text: piece, isHost: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

/** A long line around the first host in it, or from its start. */
export function cutLine(line: string, hosts: readonly string[]): string {
  if (line.length <= MAX_LENGTH) return line
  const found = hosts.map((host) => line.toLowerCase().indexOf(host.toLowerCase())).filter((index) => index >= 0)
  const start = Math.max(0, Math.min(...found, line.length) - MAX_LENGTH / 2)
  if (found.length === 0) return `${line.slice(0, MAX_LENGTH)}…`
  const end = start + MAX_LENGTH
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}
