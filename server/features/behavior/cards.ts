// Cards as they are stored and sent: one per content and version of the analyzer, and a short form per script.
import { ANALYZER_VERSION, type Card, maskSecrets } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import type { Behavior, BehaviorFinding } from '#contract/behavior.ts'
import { ASKED_CAPABILITIES, type CapabilityId, MAX_HOST_LENGTH } from '#contract/behavior-names.ts'
import type { Database } from '#server/platform/db/database.ts'

/** Whether the code compiles; null if the compiler could not tell. */
export interface Verdict {
  compiles: boolean | null
  error: Behavior['compile_error']
}

/** The evidence of a card, as the column `card` has it. Empty for code that was not analyzed yet. */
export interface StoredCard {
  capabilities?: Omit<BehaviorFinding, 'declared'>[]
  /** Cards of analyzers before version 6 do not say which hosts are contacted. */
  hosts?: { host: string; line: number; contacted?: boolean }[]
  obfuscator?: string | null
  opaque?: { reason: string; count: number }[]
}

/** The author's declarations about a version; null for those that they were not asked about. */
export interface Declared {
  declared_capabilities: readonly CapabilityId[] | null
  declared_hosts: readonly string[] | null
}

/** Characters of an excerpt or a detail. */
export const MAX_TEXT = 200
const MAX_EVIDENCE = 20
const MAX_HOSTS = 100
const MAX_REASONS = 50

/** Text that jsonb accepts, without secrets. */
export const toText = (text: string): string =>
  maskSecrets(text).replaceAll('\0', '␀').toWellFormed().slice(0, MAX_TEXT)

export const toVerdict = ({ compiles, error }: Verdict): Verdict => ({
  compiles,
  error: error && { ...error, message: toText(error.message) },
})

export function toStoredCard({ capabilities, hosts, obfuscator, opaque }: Card): StoredCard {
  return {
    capabilities: capabilities.map(({ id, certainty, evidence, count }) => ({
      id,
      certainty,
      evidence: evidence.slice(0, MAX_EVIDENCE).map(({ line, endLine, excerpt, detail }) => ({
        line,
        end_line: endLine,
        excerpt: toText(excerpt),
        detail: toText(detail),
      })),
      count,
    })),
    hosts: hosts.filter(({ host }) => isHost(host)).slice(0, MAX_HOSTS),
    obfuscator: obfuscator && toText(obfuscator),
    opaque: opaque.slice(0, MAX_REASONS).map(({ reason, count }) => ({ reason: toText(reason), count })),
  }
}

/** The hosts that a card says the code contacts: those that filters find and that changes of a version are about. */
export const contactedHosts = ({ hosts = [] }: StoredCard): string[] =>
  hosts.filter(({ contacted = true }) => contacted).map(({ host }) => host)

const isHost = (host: string) => host.length > 0 && host.length <= MAX_HOST_LENGTH && /^[\x21-\x7e]+$/.test(host)

type HostKind = Behavior['hosts'][number]['kind']

interface CardParts extends Pick<Behavior, 'status' | 'sha256' | 'version' | 'analyzer_version' | 'analyzed_at'> {
  card: StoredCard
  verdict: Verdict
  declared: Declared
  kinds: ReadonlyMap<string, HostKind>
}

export function toBehavior({ card, verdict, declared, kinds, ...parts }: CardParts): Behavior {
  const { capabilities = [], hosts = [], obfuscator = null, opaque = [] } = card
  const { declared_capabilities: ids, declared_hosts } = declared
  const idsInCode = new Set(capabilities.map(({ id }) => id))
  return {
    ...parts,
    is_outdated: parts.analyzer_version < ANALYZER_VERSION,
    compiles: verdict.compiles,
    compile_error: verdict.error,
    capabilities: capabilities.map((finding) => ({ ...finding, declared: compare(finding.id, ids) })),
    hosts: hosts.map(({ host, line, contacted = true }) => ({
      host,
      line,
      contacted,
      declared: compareHost(host, contacted, declared_hosts),
      kind: kinds.get(host) ?? null,
    })),
    obfuscator,
    opaque,
    // Until the run is over, it may still find them.
    declared_not_found: parts.status === 'ready' ? (ids ?? []).filter((id) => !idsInCode.has(id)) : [],
  }
}

const asked: ReadonlySet<CapabilityId> = new Set(ASKED_CAPABILITIES)

/** Findings that nobody asks about are declared only if the author lists them. */
function compare(id: CapabilityId, declared: readonly CapabilityId[] | null): BehaviorFinding['declared'] {
  if (!declared) return 'not_asked'
  if (declared.includes(id)) return 'declared'
  return asked.has(id) ? 'undeclared' : 'not_asked'
}

/** Nobody asks about hosts that are only named. */
function compareHost(
  host: string,
  isContacted: boolean,
  declared: readonly string[] | null,
): Behavior['hosts'][number]['declared'] {
  if (!declared) return 'not_asked'
  if (declared.includes(host)) return 'declared'
  return isContacted ? 'undeclared' : 'not_asked'
}

export async function findHostKinds(db: Database, hosts: readonly string[]): Promise<Map<string, HostKind>> {
  if (hosts.length === 0) return new Map()
  const { rows } = await sql<{ host: string; kind: HostKind }>`select host, kind from behavior_hosts
    where host = any(${hosts}::text[]) and kind is not null`.execute(db)
  return new Map(rows.map(({ host, kind }) => [host, kind]))
}
