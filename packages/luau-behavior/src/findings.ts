// Collects what the analysis finds, in the form of a card: without duplicates, bounded, with secrets masked.
import type { CapabilityId, Certainty, Evidence, Finding } from './capabilities.ts'
import { CAPABILITIES } from './capabilities.ts'
import { describeWebhook, findHosts, isKeyLink, isKeyService } from './hosts.ts'
import { UNRESOLVED } from './unresolved.ts'
import { findSecrets, maskSecrets } from './secrets.ts'
import { ORIGIN, PLAYER_DATA } from './origins.ts'
import { Table, textsOf, type Value } from './values.ts'

/** Lines of a call or another finding, from 1. */
export interface Site {
  line: number
  endLine: number
}

export interface HostOfCard {
  host: string
  line: number
  /** Whether the script contacts it. Other hosts are only named in its texts. */
  contacted: boolean
}

const MAX_EVIDENCE = 20
const MAX_EXCERPT = 200
/** Characters of a line that are read for its excerpt: minified scripts have a single line. */
const MAX_LINE = 4000
const MAX_DETAIL = 200
const MAX_HOSTS = 100
const MAX_TEXTS = 20_000
const MAX_SECRETS = 200
/** Functions that one call may be of, such as `request or http_request`. */
const MAX_NAMES = 4
/** Lines of a call that are searched for what it is about. */
const MAX_LINES = 40
const MAX_PART = 90
/** A line of a call that says what it is about. */
const INFORMATIVE = /:\/\/|\b(?:url|body|method|content|embeds|data|headers|cookies)\b["'\]]*\s*=/i
const KEY_BOX =
  /\b(?:enter|paste|insert|input|type)\b.{0,20}\bkey\b(?! ?(?:bind|code|board))|\b(?:get|check|verify|submit|redeem|invalid|wrong|correct)(?: the| your| a)? key\b(?! ?(?:bind|code|board))|\bkey system\b/i
const KEY_PROMPT =
  /\bkey\b.{0,30}\b(?:here|system|required|enter)\b|\b(?:enter|get|copy|check|paste|your)\b.{0,30}\bkey\b|\binvalid key\b/i
const RANKS: Record<Certainty, number> = { code: 2, run: 1, likely: 0 }

interface Piece {
  certainty: Certainty
  site: Site
  /** The functions that are called. */
  names: string[]
  /** What they are called with. */
  rest: string
}

export class Findings {
  private readonly contacted = new Map<string, number>()
  private readonly named = new Map<string, number>()
  readonly opaque = new Map<string, number>()
  private readonly opaqueLines = new Set<string>()
  private readonly found = new Map<CapabilityId, Map<string, Piece>>()
  private readonly linesFound = new Set<string>()
  private readonly lines: string[]
  private readonly texts = new Map<string, number>()
  private readonly openTexts = new Map<string, number>()
  private readonly secrets: string[] = []
  private hasPrompt = false
  private hasTextBox = false
  private keyBox: number | undefined

  constructor(source: string) {
    this.lines = source.split(/\r?\n/)
  }

  add(id: CapabilityId, certainty: Certainty, site: Site, detail: string): void {
    let pieces = this.found.get(id)
    if (!pieces) this.found.set(id, (pieces = new Map()))
    const text = shorten(maskSecrets(detail), MAX_DETAIL)
    // The key leaves out the name of the function: calls of several functions with the same detail are one finding.
    const space = text.indexOf(' ')
    const [name, rest] = space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space)]
    const key = `${site.line} ${rest || name}`
    const known = pieces.get(key)
    this.linesFound.add(`${id} ${site.line}`)
    if (!known || RANKS[certainty] > RANKS[known.certainty]) pieces.set(key, { certainty, site, names: [name], rest })
    else if (certainty === known.certainty && known.names.length < MAX_NAMES && !known.names.includes(name))
      known.names.push(name)
  }

  hasAt(id: CapabilityId, line: number): boolean {
    return this.linesFound.has(`${id} ${line}`)
  }

  /** Adds the hosts of a text: `isContacted` if it is the address of a request. */
  addHosts(text: string, line: number, isContacted = false): void {
    const hosts = isContacted ? this.contacted : this.named
    for (const host of findHosts(text)) {
      const known = hosts.get(host)
      if (known !== undefined) hosts.set(host, Math.min(known, line))
      else if (hosts.size < MAX_HOSTS) hosts.set(host, line)
      else if (isContacted) this.addOpaque(UNRESOLVED.hosts, { line, endLine: line })
    }
  }

  /** At most 100 hosts by line: all that the script contacts, then those that it only names. */
  listHosts(): HostOfCard[] {
    const lines = new Map([...this.contacted, ...this.named])
    for (const [host, line] of this.contacted) lines.set(host, Math.min(line, lines.get(host) ?? line))
    return [...lines]
      .slice(0, MAX_HOSTS)
      .map(([host, line]) => ({ host, line, contacted: this.contacted.has(host) }))
      .toSorted((a, b) => a.line - b.line)
  }

  /** Counts what could not be looked into: once a line, if there is one. */
  addOpaque(reason: string, site?: Site): void {
    const key = `${site?.line ?? ''} ${reason}`
    if (site && this.opaqueLines.has(key)) return
    if (this.opaqueLines.size < MAX_TEXTS) this.opaqueLines.add(key)
    this.opaque.set(reason, (this.opaque.get(reason) ?? 0) + 1)
  }

  recordText(value: Value, line: number): void {
    for (const text of textsOf(value)) {
      const seen = this.texts.get(text)
      if (seen !== undefined && seen <= line) continue
      if (this.texts.size < MAX_TEXTS) this.texts.set(text, line)
      // A text that ends with a host may be a part of one that is still put together.
      if (ENDS_WITH_HOST.test(text)) this.openTexts.set(text, line)
      else this.addHosts(text, line)
      this.recordSecrets(text, line, 'code')
    }
  }

  /** Records each secret once, where it is found first: texts that are put together have it again. */
  recordSecrets(text: string, line: number, certainty: Certainty): void {
    for (const { name, value } of findSecrets(text)) {
      const isKnown = this.secrets.some((known) => known.includes(value) || value.includes(known))
      if (isKnown || this.secrets.length >= MAX_SECRETS) continue
      this.secrets.push(value)
      this.add('shape.secret', certainty, { line, endLine: line }, name)
    }
  }

  /** Records an argument of an unknown function, which may be a library that sends it somewhere. */
  recordArgument(value: Value, line = 1): void {
    for (const text of textsOf(value)) {
      const webhook = describeWebhook(text)
      if (webhook) {
        this.add('net.webhook', 'likely', { line, endLine: line }, `${webhook}: ${shorten(text, 120)}`)
        this.addHosts(text, line, true)
      }
      if (KEY_PROMPT.test(text)) this.hasPrompt = true
    }
    if (value instanceof Table && value.entries.get('KeySystem') === true) {
      this.hasPrompt = true
      this.add('user.key', 'likely', { line, endLine: line }, 'a library asks for a key')
    }
  }

  recordProperty(name: string, text: string, line: number): void {
    if (!/text/i.test(name)) return
    if (KEY_PROMPT.test(text)) this.hasPrompt = true
    if (KEY_BOX.test(text)) this.keyBox ??= line
  }

  recordPrompt(): void {
    this.hasPrompt = true
    this.hasTextBox = true
  }

  addPlayerData(origin: number, certainty: Certainty, site: Site, name: string): void {
    const data = PLAYER_DATA.filter(([bit]) => (origin & bit) !== 0).map(([, words]) => words)
    if (origin & ORIGIN.hidden) this.addOpaque(UNRESOLVED.data, site)
    if (data.length > 0) this.add('net.exfiltration', certainty, site, `${name} with ${data.join(', ')}`)
  }

  /** Adds the hosts of texts that no longer text continues. */
  private closeTexts(): void {
    const sorted = [...this.texts.keys()].toSorted()
    for (const [text, line] of this.openTexts) {
      const next = sorted[findAfter(sorted, text)]
      if (!next?.startsWith(text) || !/^[\w.-]/.test(next.slice(text.length))) this.addHosts(text, line)
    }
    this.openTexts.clear()
  }

  /** Adds the findings that follow from several others together. */
  conclude(): void {
    this.closeTexts()
    if (this.hasTextBox && this.keyBox !== undefined)
      this.add('user.key', 'likely', { line: this.keyBox, endLine: this.keyBox }, 'a box for a key')
    for (const { host, line } of this.listHosts()) {
      const site = { line, endLine: line }
      if (isKeyService(host)) this.add('user.key', 'code', site, `the key service ${host}`)
      else if (isKeyLink(host) && this.hasPrompt) this.add('user.key', 'code', site, `a key from ${host}`)
    }
  }

  /** All findings in the order of the capabilities, evidence by certainty and line. */
  list(): Finding[] {
    return Object.keys(CAPABILITIES).flatMap((name) => {
      const id = name as CapabilityId
      const pieces = [...(this.found.get(id)?.values() ?? [])]
      if (pieces.length === 0) return []
      pieces.sort((a, b) => RANKS[b.certainty] - RANKS[a.certainty] || a.site.line - b.site.line)
      const certainty = pieces[0]?.certainty ?? 'likely'
      return { id, certainty, evidence: this.evidence(id, pieces), count: pieces.length }
    })
  }

  private evidence(id: CapabilityId, pieces: Piece[]): Evidence[] {
    return pieces.slice(0, MAX_EVIDENCE).map(({ site, names, rest }) => ({
      line: site.line,
      endLine: Math.max(site.line, site.endLine),
      excerpt: this.excerpt(site, id.startsWith('shape.')),
      detail: shorten(names.join(' or ') + rest, MAX_DETAIL),
    }))
  }

  /** The code of a finding: of a call that does not fit, the first line and those that say what it is about. */
  private excerpt({ line, endLine }: Site, isOneLine: boolean): string {
    const lastLine = isOneLine ? line : Math.min(endLine, line + MAX_LINES)
    const lines = this.lines.slice(line - 1, Math.max(line, lastLine)).map((text) => text.slice(0, MAX_LINE).trim())
    const [first = ''] = lines
    const all = maskSecrets(lines.join(' '))
    if (all.length <= MAX_EXCERPT || lines.length === 1) return shorten(all, MAX_EXCERPT)
    const informative = lines.slice(1).filter((text) => INFORMATIVE.test(text))
    return shorten([first, ...informative].map((text) => shorten(maskSecrets(text), MAX_PART)).join(' … '), MAX_EXCERPT)
  }
}

export function shorten(text: string, length: number): string {
  const plain = text.replaceAll(/\s+/g, ' ')
  return plain.length <= length ? plain : `${plain.slice(0, length - 1)}…`
}

const ENDS_WITH_HOST = /:\/\/[^\s/?#"'`<>\\^{}|)\]]*$/

/** The index of the first text that is greater. */
function findAfter(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low
}
