import type { BehaviorChange } from './behavior.ts'
import { CAPABILITY_TITLES } from './behavior-names.ts'
import { toInfinitive, toPredicate } from './finding-texts.ts'

const MAX_HOSTS = 3

/** Endings of a sentence for players that starts with "This update", such as `['no longer writes files']`. Empty without a change. */
export function describeChange({
  starts,
  stops,
  hosts_added,
  hosts_removed,
}: Pick<BehaviorChange, 'starts' | 'stops' | 'hosts_added' | 'hosts_removed'>): string[] {
  const added = starts.map((id) => toInfinitive(CAPABILITY_TITLES[id]))
  if (hosts_added.length > 0) added.push(`contact ${nameHosts(hosts_added)}`)
  const removed = stops.map((id) => toPredicate(CAPABILITY_TITLES[id]))
  if (hosts_removed.length > 0) removed.push(`contacts ${nameHosts(hosts_removed)}`)
  return [
    ...(added.length > 0 ? [`starts to ${joinWords(added, 'and')}`] : []),
    ...(removed.length > 0 ? [`no longer ${joinWords(removed, 'or')}`] : []),
  ]
}

function nameHosts(hosts: readonly string[]): string {
  const rest = hosts.length - MAX_HOSTS
  if (rest <= 0) return joinWords(hosts, 'and')
  return `${hosts.slice(0, MAX_HOSTS).join(', ')} and ${rest} more ${rest === 1 ? 'server' : 'servers'}`
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`
}
