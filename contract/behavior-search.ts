/** Filters by behavior, as text in the search box and in URLs. It imports no schema library: the browser downloads this file. */
import { CAPABILITY_IDS, type CapabilityId, MAX_HOST_LENGTH } from './behavior-names.ts'

/** Capabilities that scripts must and must not have, and hosts that they contact. */
export interface BehaviorFilter {
  readonly uses: readonly CapabilityId[]
  readonly lacks: readonly CapabilityId[]
  /** Normalized hosts; each also stands for its subdomains. */
  readonly hosts: readonly string[]
}

export const MAX_HOST_FILTERS = 10

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/

/** The host of a host name or a URL in the form that behavior cards have; undefined for other text. */
export function normalizeHost(text: string): string | undefined {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
  const isWhole = host.includes('.') || host === 'localhost' || host.startsWith('[')
  return host.length <= MAX_HOST_LENGTH && isWhole && HOST.test(host) ? host : undefined
}

const isCapability = (id: string): id is CapabilityId => (CAPABILITY_IDS as readonly string[]).includes(id)

const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** The capabilities of a comma-separated list, distinct and in the order of the contract, and the first unknown id. */
export function readCapabilities(text: string): { ids: CapabilityId[]; unknown: string | undefined } {
  const named = splitList(text.toLowerCase())
  return { ids: CAPABILITY_IDS.filter((id) => named.includes(id)), unknown: named.find((id) => !isCapability(id)) }
}

/** The hosts of a comma-separated list, distinct and sorted, and the first text that is no host. */
export function readHosts(text: string): { hosts: string[]; invalid: string | undefined } {
  const parts = splitList(text)
  const hosts = parts.flatMap((part) => normalizeHost(part) ?? [])
  return {
    hosts: [...new Set(hosts)].toSorted(),
    invalid: parts.find((part) => normalizeHost(part) === undefined),
  }
}

const PREFIXED = /^(uses|lacks|host):(.+)$/i

/** Splits `uses:`, `lacks:` and `host:` off search text. A word with an unknown id or without a host stays in the text. */
export function splitBehaviorWords(text: string): BehaviorFilter & { text: string } {
  const uses: string[] = []
  const lacks: string[] = []
  const hosts: string[] = []
  const others = text.split(/\s+/).filter((word) => {
    const [, prefix = '', value = ''] = PREFIXED.exec(word) ?? []
    const isHost = prefix.toLowerCase() === 'host'
    const isFilter = isHost
      ? splitList(value).length > 0 && readHosts(value).invalid === undefined
      : splitList(value).length > 0 && readCapabilities(value).unknown === undefined
    if (isFilter) (isHost ? hosts : prefix.toLowerCase() === 'uses' ? uses : lacks).push(value)
    return !isFilter
  })
  return {
    text: others.join(' ').trim(),
    uses: readCapabilities(uses.join()).ids,
    lacks: readCapabilities(lacks.join()).ids,
    hosts: readHosts(hosts.join()).hosts,
  }
}
