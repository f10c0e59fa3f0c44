// The sample configuration of deploy/postgresql-ha, filled in for one machine.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const samples = path.resolve(import.meta.dirname, '../../deploy/postgresql-ha')

export type SampleFile = 'etcd.yml' | 'patroni.yml' | 'haproxy.cfg' | 'pgbouncer.ini'

export const readSample = (file: SampleFile): string => readFileSync(path.join(samples, file), 'utf8')

/** Replaces `${NAME}` like `envsubst`. Throws if the text uses a name without a value. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The sample needs a value for ${name}.`)
    return String(value)
  })
}

/** Values of the samples that depend on the version of Patroni, given as `patroni 4.1.5`. */
export function settingsFor(patroni: string): Record<'ETCD_INTERFACE' | 'ETCD_V2' | 'SYNCHRONOUS_MODE', string> {
  const [major = 0, minor = 0, patch = 0] = (/[\d.]+/.exec(patroni)?.[0] ?? '').split('.').map(Number)
  // Before 3.0.3, with etcd's interface v3, a primary whose lock expired takes it from its successor.
  const isSafeWithV3 = major > 3 || (major === 3 && (minor > 0 || patch >= 3))
  return {
    ETCD_INTERFACE: isSafeWithV3 ? 'etcd3' : 'etcd',
    ETCD_V2: String(!isSafeWithV3),
    // Before 4.0, Patroni names the one replica that confirms commits.
    SYNCHRONOUS_MODE: major >= 4 ? 'quorum' : 'true',
  }
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
}

const MAX_LAG_BYTES = 16 * 2 ** 20

/** Whether Patroni's `/cluster` shows a primary, replicas that stream up to date, and one that confirms commits. */
export function isWhole(members: readonly Member[], size: number): boolean {
  const isStreaming = ({ state, lag }: Member) =>
    (state === 'streaming' || state === 'running') && Number(lag) <= MAX_LAG_BYTES
  const primary = members.find(({ role }) => role === 'leader')
  const replicas = members.filter((member) => member !== primary)
  return (
    primary?.state === 'running' &&
    replicas.length === size - 1 &&
    replicas.every(isStreaming) &&
    replicas.some(({ role }) => role === 'sync_standby' || role === 'quorum_standby')
  )
}
