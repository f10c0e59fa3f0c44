import type { Behavior } from '#contract/behavior.ts'
import { ASKED_CAPABILITIES, type CapabilityId, REASONS_OF_FINDINGS } from '#contract/behavior-names.ts'
import { titleWithServers, toPredicate } from '#contract/finding-texts.ts'

export type AskedId = (typeof ASKED_CAPABILITIES)[number]

/** What the author says that the code does. */
export interface Declaration {
  /** Ids of capabilities. Null until the author was asked. */
  declared_capabilities: string[] | null
  /** Names of servers, with commas between them. */
  declared_hosts: string
}

/** Something found in the code that the author has not declared. */
export interface Undeclared {
  /** Null if only running the code would show where. */
  line: number | null
  ids: AskedId[]
  hosts: string[]
  /** What the line does, such as "sends data to discord.com". */
  text: string
}

/** Server names typed as a list, with commas or spaces between them. */
export const readHosts = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

const isAsked = (id: CapabilityId): id is AskedId => (ASKED_CAPABILITIES as readonly CapabilityId[]).includes(id)

const foundIds = ({ capabilities }: Behavior): AskedId[] => capabilities.map(({ id }) => id).filter(isAsked)
/** Without those that are only named in the text. */
const contactedHosts = ({ hosts }: Behavior) => hosts.filter(({ contacted }) => contacted !== false)
const foundHosts = (behavior: Behavior): string[] => [...new Set(contactedHosts(behavior).map(({ host }) => host))]

/** The lines where a capability was found, each once. */
export function findLines(behavior: Behavior | undefined, ids: readonly CapabilityId[]): number[] {
  const capabilities = behavior?.capabilities.filter(({ id }) => ids.includes(id)) ?? []
  const lines = capabilities.flatMap(({ evidence }) => evidence.map(({ line }) => line))
  return [...new Set(lines)].toSorted((a, b) => a - b)
}

const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])]
const without = <T>(a: readonly T[], b: readonly T[]): T[] => a.filter((each) => !b.includes(each))

/** Adds to a declaration. Sorts the names, so that equal declarations compare as equal. */
export function declare(declaration: Declaration, ids: readonly string[], hosts: readonly string[]): Declaration {
  const all = union(declaration.declared_capabilities ?? [], ids)
  return {
    declared_capabilities: all.toSorted(),
    declared_hosts: union(readHosts(declaration.declared_hosts), hosts).join(', '),
  }
}

export function withdraw(declaration: Declaration, ids: readonly string[], hosts: readonly string[]): Declaration {
  return {
    declared_capabilities: without(declaration.declared_capabilities ?? [], ids),
    declared_hosts: without(readHosts(declaration.declared_hosts), hosts).join(', '),
  }
}

export interface Followed {
  declaration: Declaration
  behavior: Behavior
  /** Capabilities and hosts that were found and that the author took out. They are not filled in again. */
  withdrawn: string[]
}

const namesIn = (declaration: Declaration): string[] => [
  ...(declaration.declared_capabilities ?? []),
  ...readHosts(declaration.declared_hosts),
]

/**
 * Fills in the declaration from what was found. What the author corrected stays: only the difference to what was found
 * before is applied. Code is often broken while it is being typed, and then less is found in it.
 */
export function followCheck(declaration: Declaration, before: Followed | undefined, now: Behavior): Followed {
  const [ids, hosts] = [foundIds(now), foundHosts(now)]
  if (declaration.declared_capabilities === null) {
    return { declaration: declare(declaration, ids, hosts), behavior: now, withdrawn: [] }
  }
  const declared = namesIn(declaration)
  if (!before) return { declaration, behavior: now, withdrawn: without([...ids, ...hosts], declared) }
  const [oldIds, oldHosts] = [foundIds(before.behavior), foundHosts(before.behavior)]
  const takenOut = without(namesIn(before.declaration), declared)
  const withdrawn = without(union(before.withdrawn, takenOut), declared)
  const stillFound = withdraw(declaration, without(oldIds, ids), without(oldHosts, hosts))
  const added = (found: string[], old: string[]) => without(without(found, old), withdrawn)
  return { declaration: declare(stillFound, added(ids, oldIds), added(hosts, oldHosts)), behavior: now, withdrawn }
}

/** What a line can do, the most important first, because one line often does several of these. */
const BY_IMPORTANCE: readonly AskedId[] = [
  'net.exfiltration',
  'net.webhook',
  'code.remote',
  'net.send',
  'net.get',
  'user.key',
  'fs.write',
  'shape.obfuscated',
]

/** What was found and is not declared, by line. */
export function findUndeclared(declaration: Declaration, behavior: Behavior): Undeclared[] {
  const declaredHosts = readHosts(declaration.declared_hosts)
  const ids = without(foundIds(behavior), (declaration.declared_capabilities ?? []) as AskedId[])
  const contacted = contactedHosts(behavior)
  const hosts = contacted.filter(({ host }) => !declaredHosts.includes(host))
  const lineOf = (id: AskedId) => findLines(behavior, [id])[0] ?? null
  const lines = new Set([...ids.map(lineOf), ...hosts.map(({ line }) => line)])
  return [...lines]
    .map((line) => {
      const lineIds = ids.filter((id) => lineOf(id) === line)
      const lineHosts = hosts.filter((host) => host.line === line).map(({ host }) => host)
      const all = contacted.filter((host) => host.line === line).map(({ host }) => host)
      return { line, ids: lineIds, hosts: lineHosts, text: describe(lineIds, lineIds.length > 0 ? all : lineHosts) }
    })
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

function describe(ids: readonly AskedId[], hosts: readonly string[]): string {
  const names = [...new Set(hosts)].join(', ')
  const first = BY_IMPORTANCE.find((id) => ids.includes(id))
  return first ? toPredicate(titleWithServers(first, names)) : `contacts ${names}`
}

/** The asked capabilities that are declared and were not found. */
export const findNotFound = ({ declared_capabilities }: Declaration, behavior: Behavior): string[] =>
  without(
    declared_capabilities ?? [],
    behavior.capabilities.map(({ id }) => id),
  )

/** A secret in the code, such as the token of a webhook. */
export interface Secret {
  line: number
  /** With its article: "a Discord webhook with its token". */
  name: string
}

export const findSecrets = (behavior: Behavior | undefined): Secret[] =>
  behavior?.capabilities
    .filter(({ id }) => id === 'shape.secret')
    .flatMap(({ evidence }) => evidence.map(({ line, detail }) => ({ line, name: detail }))) ?? []

/** Whether nothing was found and nothing is declared, so that the questions need not be shown. */
export const hasNothingToDeclare = (declaration: Declaration, behavior: Behavior): boolean =>
  (declaration.declared_capabilities ?? []).length === 0 &&
  declaration.declared_hosts.trim() === '' &&
  foundIds(behavior).length === 0 &&
  contactedHosts(behavior).length === 0

/** Why the answers that are filled in may be incomplete; undefined if the code compiles and all of it was followed. */
export function describeGaps({ compiles, opaque }: Behavior): string | undefined {
  if (compiles === false) {
    return "Your code doesn't compile, so these answers may be incomplete. We'll read it again when you change it."
  }
  const isOpen = opaque.some(({ reason }) => !REASONS_OF_FINDINGS.has(reason))
  return isOpen ? "We couldn't follow all of your code, so these answers may be incomplete." : undefined
}
