// The programs of a drill, from Debian packages, and the ports that they listen on.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

export const ADDRESS = '127.0.0.1'

const PACKAGES: Record<string, string> = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
}

/** A Python module that Patroni needs for etcd. Newer packages of Patroni do not depend on it. */
const ETCD_OF_PATRONI = '/usr/lib/python3/dist-packages/etcd'

export interface Programs {
  etcd: string
  patroni: string
  haproxy: string
  pgbouncer: string
  /** Folder of PostgreSQL's programs. */
  postgres: string
}

/** Throws an error that names the missing Debian packages. */
export function findPrograms(): Programs {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin']
  const find = (name: string) => folders.map((folder) => path.join(folder, name)).find(existsSync)
  const missing = Object.entries(PACKAGES).flatMap(([name, debianPackage]) => (find(name) ? [] : debianPackage))
  const postgres = findPostgres()
  if (!postgres) missing.push('postgresql')
  if (!existsSync(ETCD_OF_PATRONI)) missing.push('python3-etcd')
  if (missing.length > 0) {
    throw new Error(`The drills need more Debian packages: sudo apt-get install ${missing.join(' ')}`)
  }
  const [etcd = '', patroni = '', haproxy = '', pgbouncer = ''] = Object.keys(PACKAGES).map(find)
  return { etcd, patroni, haproxy, pgbouncer, postgres: postgres ?? '' }
}

/** The newest PostgreSQL that has `pg_rewind`. The embedded one has not. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
  return versions
    .map((version) => path.join(root, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'pg_rewind')))
}

export function describeVersions({ patroni, postgres, haproxy }: Programs): string {
  const haproxyVersion = /version ([\d.]+)/.exec(firstLine(haproxy, '-v'))?.[1] ?? ''
  const server = firstLine(path.join(postgres, 'postgres'), '--version').replace('postgres (PostgreSQL)', 'PostgreSQL')
  return `${server}, ${firstLine(patroni, '--version')}, haproxy ${haproxyVersion}`
}

export const firstLine = (program: string, flag: string): string =>
  execFileSync(program, [flag], { encoding: 'utf8' }).split('\n')[0] ?? ''
