// Titles of findings as parts of sentences. It imports no schema library: the browser downloads this file.
import { CAPABILITIES, type CapabilityId } from './behavior-names.ts'

/** Titles for the reader of a sentence: `CAPABILITIES` or `CAPABILITY_TITLES`. */
export type Titles = Readonly<Record<CapabilityId, string>>

/** A title that names the servers, if they are known: `Sends data about you to discord.com`. */
export function titleWithServers(id: CapabilityId, servers: string, titles: Titles = CAPABILITIES): string {
  const title = titles[id]
  if (servers === '') return title
  switch (id) {
    case 'net.get':
      return `Downloads data from ${servers}`
    case 'net.send':
      return `Sends data to ${servers}`
    case 'net.webhook':
      return `Sends messages to ${servers}`
    case 'net.socket':
      return `Keeps a connection to ${servers} open`
    case 'net.exfiltration':
      return `${title} to ${servers}`
    case 'code.remote':
    case 'user.key':
      return `${title} from ${servers}`
    default:
      return title
  }
}

/** A title as the end of a sentence: `sends data about you`. */
export const toPredicate = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1)

/** A title as infinitive: `send data about you`. */
export function toInfinitive(title: string): string {
  const [verb = '', ...words] = toPredicate(title).split(' ')
  const infinitive = verb === 'has' ? 'have' : verb.replace(/ies$/, 'ys').replace(/s$/, '')
  return [infinitive, ...words].join(' ')
}
