// The sample configuration of deploy/postgresql-ha, filled in for one machine.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const samples = path.resolve(import.meta.dirname, '../deploy/postgresql-ha')

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

/** `quorum` exists from Patroni 4.0 on. Before, Patroni names the one replica that confirms commits. */
export function synchronousMode(version: string): 'quorum' | 'true' {
  const major = Number(/(\d+)\.\d+/.exec(version)?.[1] ?? 0)
  return major >= 4 ? 'quorum' : 'true'
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
}

const MAX_LAG_BYTES = 16 * 2 ** 20

/**
 * Whether Patroni's `/cluster` shows `size` nodes: a primary, replicas that stream and are not behind, and among them one that
 * confirms commits.
 */
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
