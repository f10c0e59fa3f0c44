import type { BehaviorChange } from './behavior.ts'
import type { CapabilityId } from './behavior-names.ts'

/** What a script can do, as infinitive and third person: "starts to …", "no longer …". */
const VERBS: Record<CapabilityId, readonly [infinitive: string, third: string]> = {
  'net.get': ['read from the internet', 'reads from the internet'],
  'net.send': ['send data to the internet', 'sends data to the internet'],
  'net.webhook': ['send messages to a chat or collector', 'sends messages to a chat or collector'],
  'net.exfiltration': ['send data about the player', 'sends data about the player'],
  'net.socket': ['keep a connection open', 'keeps a connection open'],
  'code.remote': ['run code that it downloads', 'runs code that it downloads'],
  'code.dynamic': ['run code that it puts together', 'runs code that it puts together'],
  'code.asset': ['load Roblox assets', 'loads Roblox assets'],
  'code.persist': ['run again after a teleport or restart', 'runs again after a teleport or restart'],
  'fs.read': ['read files', 'reads files'],
  'fs.write': ['write files', 'writes files'],
  'fs.delete': ['delete files', 'deletes files'],
  'user.clipboard': ['change the clipboard', 'changes the clipboard'],
  'user.identity': ['identify the device or network', 'identifies the device or network'],
  'user.input': ['press keys or move the mouse', 'presses keys or moves the mouse'],
  'user.purchase': ['ask to buy something', 'asks to buy something'],
  'user.key': ['ask for a key', 'asks for a key'],
  'game.remote': ['send commands to the game server', 'sends commands to the game server'],
  'game.teleport': ['take the player to another place', 'takes the player to another place'],
  'game.chat': ['write in the chat', 'writes in the chat'],
  'game.kick': ['disconnect the player', 'disconnects the player'],
  'client.hook': ['replace functions of the game', 'replaces functions of the game'],
  'client.inspect': ["read the game's memory", "reads the game's memory"],
  'needs.executor': ['need an executor', 'needs an executor'],
  'shape.obfuscated': ['hide its code', 'hides its code'],
  'shape.minified': ['have minified code', 'has minified code'],
  'shape.secret': ['contain a secret', 'contains a secret'],
}

const MAX_HOSTS = 3

/** Endings of a sentence that starts with "This update", such as `['no longer writes files']`. Empty without a change. */
export function describeChange({
  starts,
  stops,
  hosts_added,
  hosts_removed,
}: Pick<BehaviorChange, 'starts' | 'stops' | 'hosts_added' | 'hosts_removed'>): string[] {
  const added = starts.map((id) => VERBS[id][0])
  if (hosts_added.length > 0) added.push(`contact ${nameHosts(hosts_added)}`)
  const removed = stops.map((id) => VERBS[id][1])
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
