import { describeChange, joinWords } from '#contract/behavior-changes.ts'
import type { Behavior, BehaviorChange, BehaviorFinding, Evidence } from '#contract/behavior.ts'
import {
  CAPABILITY_TITLES,
  type CapabilityId,
  isFullyChecked,
  STOPPED_REASONS,
  UNREAD_REASONS,
} from '#contract/behavior-names.ts'
import { COMPILE_ERROR_TITLE, warningOf } from '#contract/behavior-warning.ts'
import { titleWithServers } from '#contract/finding-texts.ts'
import { CAPABILITY_GROUPS, CAPABILITY_TEXTS, type Level } from '#web/lib/behavior-text.ts'

export interface FindingView extends Pick<BehaviorFinding, 'id' | 'certainty' | 'declared' | 'count'> {
  level: Level
  text: string
  /** The pieces of evidence that are shown with their code. Empty if the finding is about the script as a whole. */
  places: Evidence[]
  /** The lines of the remaining evidence. */
  lines: number[]
  /** What the finding is about where that is not a line, such as the name of an obfuscator. */
  detail: string | null
}

export interface LineMark {
  line: number
  id: CapabilityId
  level: Level
  label: string
}

/** A serious finding that the author did not declare, as a sentence without a period. */
export interface Alert {
  id: CapabilityId
  text: string
  /** Null if it is about the script as a whole. */
  line: number | null
}

/** A card prepared for display: findings as sentences in groups, with limited evidence. */
export interface BehaviorView extends Pick<
  Behavior,
  'status' | 'is_outdated' | 'analyzed_at' | 'version' | 'compiles' | 'compile_error' | 'opaque'
> {
  /** The servers that the script contacts, and those that are only named in its text. */
  servers: Behavior['hosts']
  namedHosts: Behavior['hosts']
  /** Whether the script compiles and all of it was looked into, so that what was not found may be said. */
  isComplete: boolean
  /** Whether most of the script was not looked into, so that this comes first. */
  isMostlyUnread: boolean
  groups: { title: string; findings: FindingView[] }[]
  declaredNotFound: string[]
  /** What the version changes, such as `starts to write files`. */
  changes: string[]
  /** What to read before copying the script; null if there is nothing serious that the author did not declare. */
  alert: Alert | null
  /** The summary of a card in one line, with the most important findings first. */
  gist: string[]
  marks: LineMark[]
}

const MAX_PLACES = 3
const MAX_NAMED_HOSTS = 2
const MAX_GIST = 3
/** Findings about the script as a whole, not about a line. */
const WHOLE = new Set<CapabilityId>(['shape.obfuscated', 'shape.minified'])

/** Prepares a card for a page. `changes` are the script's, newest first. */
export function viewBehavior(behavior: Behavior, changes: readonly BehaviorChange[]): BehaviorView {
  const { status, is_outdated, analyzed_at, version, compiles, compile_error, opaque } = behavior
  const hostsByLine = findHosts(behavior.capabilities)
  const groups = CAPABILITY_GROUPS.flatMap(({ title, ids }) => {
    const findings = ids.flatMap((id) => {
      const finding = behavior.capabilities.find((one) => one.id === id)
      return finding ? [viewFinding(finding, behavior, hostsByLine)] : []
    })
    return findings.length > 0 ? [{ title, findings }] : []
  })
  const hosts = behavior.hosts.toSorted((a, b) => hostRank(a) - hostRank(b))
  const newest = changes.find((change) => change.version === version)
  return {
    status,
    is_outdated,
    analyzed_at,
    version,
    compiles,
    compile_error,
    opaque,
    servers: hosts.filter(isContacted),
    namedHosts: hosts.filter((host) => !isContacted(host)),
    isComplete: isFullyChecked(behavior),
    isMostlyUnread: opaque.some(({ reason }) => UNREAD_REASONS.has(reason) || STOPPED_REASONS.has(reason)),
    groups,
    declaredNotFound: behavior.declared_not_found.map((id) => CAPABILITY_TITLES[id]),
    changes: newest ? describeChange(newest) : [],
    alert: findAlert(behavior, groups),
    gist: summarize(behavior, groups),
    marks: markLines(groups),
  }
}

/** Cards of older analyzers do not say which hosts are contacted. */
const isContacted = ({ contacted }: Behavior['hosts'][number]): boolean => contacted !== false

/** Collectors first, then what the author has not declared, and what is known to be harmless last. */
function hostRank({ kind, declared }: Behavior['hosts'][number]): number {
  if (kind === 'collector') return 0
  if (kind === 'known') return 3
  return declared === 'undeclared' ? 1 : 2
}

function viewFinding(finding: BehaviorFinding, behavior: Behavior, hosts: HostsByLine): FindingView {
  const { id, certainty, declared, count, evidence } = finding
  const isWhole = WHOLE.has(id)
  const places = isWhole ? [] : evidence.slice(0, MAX_PLACES)
  const shown = new Set(places.map(({ line }) => line))
  const lines = isWhole ? [] : evidence.slice(MAX_PLACES).flatMap(({ line }) => (shown.has(line) ? [] : [line]))
  return {
    id,
    certainty,
    declared,
    count,
    level: CAPABILITY_TEXTS[id].level,
    text: describeFinding(finding, behavior, hosts),
    places,
    lines: [...new Set(lines)].toSorted((a, b) => a - b),
    detail: isWhole ? (evidence[0]?.detail ?? null) : null,
  }
}

type HostsByLine = Map<number, Set<string>>

const URL_HOST = /\b(?:https?|wss?):\/\/(?:[^/@\s]*@)?([\w.-]+\.[a-z][\w-]*)/gi

/** The hosts of the requests on each line, from what the analysis says about them. */
function findHosts(findings: readonly BehaviorFinding[]): HostsByLine {
  const hosts: HostsByLine = new Map()
  for (const { id, evidence } of findings) {
    if (!id.startsWith('net.')) continue
    for (const { line, detail } of evidence) {
      const known = hosts.get(line) ?? new Set()
      for (const [, host = ''] of detail.matchAll(URL_HOST)) known.add(host.toLowerCase())
      hosts.set(line, known)
    }
  }
  return hosts
}

/** How the analysis names data about the player, and how we say it to the player after "your". */
const DATA_WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\bplayer name\b/i, 'name'],
  [/\bdisplay name\b/i, 'display name'],
  [/\buser id\b/i, 'user ID'],
  [/\baccount age\b/i, 'account age'],
  [/\bcharacter\b/i, 'character'],
  [/\bserver id\b/i, 'server'],
  [/\bhardware id\b/i, 'device ID'],
  [/\bIP address\b/i, 'IP address'],
  [/\bcookie\b/i, 'Roblox login cookie'],
  [/\bdetails of the device\b/i, 'device details'],
]

/** One sentence without a period: what the script does, with which server or data if that is known. */
function describeFinding({ id, evidence }: BehaviorFinding, behavior: Behavior, hostsByLine: HostsByLine): string {
  const details = evidence.map(({ detail }) => detail)
  const ownHosts = details.flatMap((detail) =>
    [...detail.matchAll(URL_HOST)].map(([, host = '']) => host.toLowerCase()),
  )
  const lineHosts = evidence.flatMap(({ line }) => [...(hostsByLine.get(line) ?? [])])
  const hosts = nameHosts(ownHosts.length > 0 ? ownHosts : lineHosts)
  const title = titleWithServers(id, hosts, CAPABILITY_TITLES)
  switch (id) {
    case 'net.exfiltration': {
      const data = DATA_WORDS.filter(([pattern]) => details.some((detail) => pattern.test(detail)))
      const named = data.map(([, words]) => words)
      return named.length > 0 ? title.replace('data about you', `your ${joinWords(named, 'and')}`) : title
    }
    case 'net.webhook': {
      const kinds = [...new Set(details.flatMap((detail) => /\ban? [A-Z]\w+ (?:webhook|bot)\b/.exec(detail) ?? []))]
      return kinds.length > 0 ? `Sends messages to ${joinWords(kinds, 'and')}` : title
    }
    case 'user.key': {
      const named = nameHosts(details.flatMap((detail) => /([\w-]+\.)+[a-z]{2,}$/i.exec(detail)?.[0] ?? []))
      return titleWithServers(id, named, CAPABILITY_TITLES)
    }
    case 'needs.executor': {
      const names = [...new Set(details.flatMap((detail) => /^[\w.]+/.exec(detail)?.[0] ?? []))]
      return title + (names.length > 0 ? ` for ${nameSome(names, 'other function')}` : '')
    }
    case 'shape.obfuscated':
      return behavior.obfuscator && behavior.obfuscator !== 'unknown' ? `${title} with ${behavior.obfuscator}` : title
    case 'shape.secret':
      return title + (details.length > 0 ? `: ${joinWords([...new Set(details)], 'and')}` : '')
    default:
      return title
  }
}

const nameHosts = (hosts: readonly string[]): string => nameSome([...new Set(hosts)], 'other server')

/** `a`, `a and b`, `a, b and 3 other servers`. */
function nameSome(names: readonly string[], noun: string): string {
  const rest = names.length - MAX_NAMED_HOSTS
  if (rest <= 0) return joinWords(names, 'and')
  return joinWords([...names.slice(0, MAX_NAMED_HOSTS), `${rest} ${noun}${rest === 1 ? '' : 's'}`], 'and')
}

const idsOf = (findings: Behavior['capabilities']) => findings.map(({ id }) => id)

/** The same finding that lists warn of. */
function findAlert({ capabilities }: Behavior, groups: BehaviorView['groups']): Alert | null {
  const declared = idsOf(capabilities.filter((finding) => finding.declared === 'declared'))
  const warning = warningOf({ capabilities: idsOf(capabilities), compiles: null, declared })
  const finding = groups.flatMap(({ findings }) => findings).find(({ id }) => id === warning?.id)
  if (!finding || warning?.is_declared) return null
  return { id: finding.id, text: finding.text, line: finding.places[0]?.line ?? null }
}

/** The title of an error of the compiler. */
export const compileTitle = (line?: number): string =>
  line === undefined ? COMPILE_ERROR_TITLE : `${COMPILE_ERROR_TITLE} (line ${line})`

function summarize(behavior: Behavior, groups: BehaviorView['groups']): string[] {
  const { status, compiles, compile_error } = behavior
  const findings = groups.flatMap((group) => group.findings).toSorted((a, b) => rankLevel(a.level) - rankLevel(b.level))
  const named = findings.slice(0, MAX_GIST).map(({ id }) => CAPABILITY_TITLES[id])
  const rest = findings.length - named.length
  const error = compiles === false ? [compileTitle(compile_error?.line)] : []
  const phrases = [...error, ...named, ...(rest > 0 ? [`${rest} more`] : [])]
  if (phrases.length > 0) return phrases
  return [status === 'ready' && !isFullyChecked(behavior) ? INCOMPLETE_TEXT : NOTHING_TEXTS[status]]
}

const INCOMPLETE_TEXT = 'not all of it could be checked'

const NOTHING_TEXTS: Record<Behavior['status'], string> = {
  pending: 'running…',
  failed: 'failed',
  ready: 'nothing found',
}

const LEVELS: readonly Level[] = ['warning', 'notice', 'plain']
const rankLevel = (level: Level): number => LEVELS.indexOf(level)

function markLines(groups: BehaviorView['groups']): LineMark[] {
  const marks = new Map<number, FindingView[]>()
  for (const finding of groups.flatMap((group) => group.findings)) {
    const lines = [...finding.places.map(({ line }) => line), ...finding.lines]
    for (const line of new Set(lines)) marks.set(line, [...(marks.get(line) ?? []), finding])
  }
  return [...marks]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([line, findings]) => {
      const [first] = findings.toSorted((a, b) => rankLevel(a.level) - rankLevel(b.level))
      if (!first) return []
      const titles = findings.map(({ id }) => CAPABILITY_TITLES[id])
      return [{ line, id: first.id, level: first.level, label: `Line ${line}: ${titles.join('; ')}` }]
    })
}
