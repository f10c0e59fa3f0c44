import { describeChange, joinWords } from '#contract/behavior-changes.ts'
import type { Behavior, BehaviorChange, BehaviorFinding, Evidence } from '#contract/behavior.ts'
import {
  CAPABILITY_IDS,
  type CapabilityId,
  isFullyChecked,
  STOPPED_REASONS,
  UNREAD_REASONS,
} from '#contract/behavior-names.ts'
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

/** The summary of a card in one line, with the most important findings first. */
export interface Gist {
  level: Level
  phrases: string[]
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
  gist: Gist
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
    declaredNotFound: behavior.declared_not_found.map((id) => CAPABILITY_TEXTS[id].title),
    changes: newest ? describeChange(newest) : [],
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

/** How the analysis names data about the player, and how we say it to the player. */
const DATA_WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\bplayer name\b/i, 'your name'],
  [/\bdisplay name\b/i, 'your display name'],
  [/\buser id\b/i, 'your user ID'],
  [/\baccount age\b/i, 'the age of your account'],
  [/\bcharacter\b/i, 'your character'],
  [/\bserver id\b/i, 'the server you play on'],
  [/\bhardware id\b/i, 'the ID of your device'],
  [/\bIP address\b/i, 'your IP address'],
  [/\bcookie\b/i, 'your Roblox login cookie'],
  [/\bdetails of the device\b/i, 'details about your device'],
]

/** One sentence without a period: what the script does, with which server or data if that is known. */
function describeFinding({ id, evidence }: BehaviorFinding, behavior: Behavior, hostsByLine: HostsByLine): string {
  const { title } = CAPABILITY_TEXTS[id]
  const details = evidence.map(({ detail }) => detail)
  const ownHosts = details.flatMap((detail) =>
    [...detail.matchAll(URL_HOST)].map(([, host = '']) => host.toLowerCase()),
  )
  const lineHosts = evidence.flatMap(({ line }) => [...(hostsByLine.get(line) ?? [])])
  const hosts = nameHosts(ownHosts.length > 0 ? ownHosts : lineHosts)
  switch (id) {
    case 'net.exfiltration': {
      const data = DATA_WORDS.filter(([pattern]) => details.some((detail) => pattern.test(detail)))
      const named = joinWords(
        data.map(([, words]) => words),
        'and',
      )
      return title + (hosts && ` to ${hosts}`) + (named && `: ${named}`)
    }
    case 'net.webhook': {
      const kinds = [...new Set(details.flatMap((detail) => /\ban? [A-Z]\w+ (?:webhook|bot)\b/.exec(detail) ?? []))]
      return kinds.length > 0 ? `Sends messages to ${joinWords(kinds, 'and')}` : title + (hosts && `: ${hosts}`)
    }
    case 'net.send':
      return hosts ? `Sends data to ${hosts}` : title
    case 'net.get':
      return hosts ? `Downloads data from ${hosts}` : title
    case 'net.socket':
      return hosts ? `Keeps a connection to ${hosts} open` : title
    case 'code.remote':
      return title + (hosts && ` from ${hosts}`)
    case 'user.key': {
      const named = nameHosts(details.flatMap((detail) => /([\w-]+\.)+[a-z]{2,}$/i.exec(detail)?.[0] ?? []))
      return title + (named && ` from ${named}`)
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

function summarize(behavior: Behavior, groups: BehaviorView['groups']): Gist {
  const { status, compiles } = behavior
  const findings = groups.flatMap((group) => group.findings).toSorted((a, b) => rankLevel(a.level) - rankLevel(b.level))
  const named = findings.slice(0, MAX_GIST).map(({ id }) => CAPABILITY_TEXTS[id].title)
  const rest = findings.length - named.length
  const phrases = [...(compiles === false ? ["Doesn't compile"] : []), ...named, ...(rest > 0 ? [`${rest} more`] : [])]
  if (phrases.length > 0) return { level: findings[0]?.level ?? 'notice', phrases }
  const text = status === 'ready' && !isFullyChecked(behavior) ? INCOMPLETE_TEXT : NOTHING_TEXTS[status]
  return { level: 'plain', phrases: [text] }
}

const INCOMPLETE_TEXT = "We couldn't look into all of it"

const NOTHING_TEXTS: Record<Behavior['status'], string> = {
  pending: "We're still checking it",
  failed: "We couldn't check it",
  ready: `We found none of the ${CAPABILITY_IDS.length} things we look for`,
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
      const titles = findings.map(({ id }) => CAPABILITY_TEXTS[id].title)
      return [{ line, id: first.id, level: first.level, label: `Line ${line}: ${titles.join('; ')}` }]
    })
}
