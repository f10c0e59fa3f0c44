// Three etcd members, three Patroni nodes and HAProxy on the loopback interface, from the samples of deploy/postgresql-ha.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findOwner, giveTo, type Owner } from '@scriptyard/embedded-postgres/installation'
import { findFreePort } from '#tests/support/free-port.ts'
import { findChildren } from '#tests/support/processes.ts'
import { ADDRESS, findPrograms, firstLine } from './programs.ts'
import { fillIn, isWhole, readSample, settingsFor } from './configuration.ts'

const SIZE = 3
const PASSWORD = 'drill'
const START_TIMEOUT_MS = 120_000
const POLL_MS = 100
const QUERY_TIMEOUT_MS = 5000

export interface DatabaseNode {
  name: string
  postgresPort: number
  patroniPort: number
  dataDir: string
}

interface Service {
  child: ChildProcess
  log: string
}

export interface ClusterOptions {
  /** Runs the first node's Patroni through another program, which root starts and to which the command is appended. */
  wrapFirst?: (folder: string, owner: Owner) => readonly string[]
}

export class PostgresCluster {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-drill-'))
  readonly programs = findPrograms()
  nodes: DatabaseNode[] = []
  readonly #settings = settingsFor(firstLine(this.programs.patroni, '--version'))
  readonly #owner: Owner = findOwner(this.folder)
  readonly #services = new Map<string, Service>()
  readonly #options: ClusterOptions
  #proxyPort = 0
  #poolerPort = 0

  constructor(options: ClusterOptions = {}) {
    this.#options = options
    chmodSync(this.folder, 0o755)
  }

  /** Starts everything, the first node as the primary, and creates the site's database. */
  async start(): Promise<void> {
    const ports: number[] = []
    while (ports.length < 2 + 4 * SIZE) ports.push(await findFreePort())
    const take = () => ports.pop() ?? 0
    this.#proxyPort = take()
    this.#poolerPort = take()
    const members = Array.from({ length: SIZE }, (_, i) => ({
      name: `node${i + 1}`,
      clientPort: take(),
      peerPort: take(),
    }))
    const cluster = members.map(({ name, peerPort }) => `${name}=http://${ADDRESS}:${peerPort}`).join(',')
    for (const { name, clientPort, peerPort } of members) {
      const file = this.#write('etcd.yml', name, {
        ETCD_DIR: this.#folderOf(`etcd-${name}`),
        ETCD_CLIENT_PORT: clientPort,
        ETCD_PEER_PORT: peerPort,
        ETCD_CLUSTER: cluster,
      })
      this.#run(`etcd-${name}`, [this.programs.etcd, '--config-file', file])
    }
    const hosts = members.map(({ clientPort }) => `${ADDRESS}:${clientPort}`).join(',')
    this.nodes = members.map(({ name }) => this.#prepareNode(name, hosts, take(), take()))
    this.#startProxy()
    await this.#waitFor('the first node is the primary', async () => {
      this.startNode(this.nodes[0])
      return (await this.findPrimary()) !== undefined
    })
    for (const node of this.nodes) this.startNode(node)
    await this.waitUntilWhole()
    await this.#createDatabase()
  }

  /** URL of the site's database through HAProxy. */
  get url(): string {
    return this.urlOf(this.#proxyPort)
  }

  get proxyPort(): number {
    return this.#proxyPort
  }

  /** URL of the site's database through PgBouncer. */
  get poolerUrl(): string {
    return this.urlOf(this.#poolerPort)
  }

  urlOf(port: number): string {
    return `postgres://scriptyard:${PASSWORD}@${ADDRESS}:${port}/scriptyard`
  }

  /** Runs a statement as superuser on one node. */
  async query<Row extends pg.QueryResultRow>(node: DatabaseNode, sql: string, database = 'scriptyard'): Promise<Row[]> {
    const { postgresPort: port } = node
    const login = { host: ADDRESS, port, user: 'postgres', password: PASSWORD, database }
    const timeouts = { connectionTimeoutMillis: QUERY_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS }
    const client = new pg.Client({ ...login, ...timeouts })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async findPrimary(): Promise<DatabaseNode | undefined> {
    for (const node of this.nodes) {
      const response = await fetchQuickly(node, '/primary')
      if (response?.status === 200) return node
    }
    return undefined
  }

  async getPrimary(): Promise<DatabaseNode> {
    const primary = await this.findPrimary()
    if (!primary) throw new Error('No node is the primary.')
    return primary
  }

  async findReplicas(): Promise<DatabaseNode[]> {
    const primary = await this.getPrimary()
    return this.nodes.filter((node) => node !== primary)
  }

  /** Waits until all nodes stream from a primary and one of them confirms commits. */
  async waitUntilWhole(): Promise<void> {
    await this.#waitFor('all nodes stream', async () => {
      for (const node of this.nodes) {
        const response = await fetchQuickly(node, '/cluster')
        if (response?.status !== 200) continue
        const { members } = (await response.json()) as { members: Parameters<typeof isWhole>[0] }
        return isWhole(members, SIZE)
      }
      return false
    })
  }

  async configure(parameters: Record<string, string>): Promise<void> {
    const [node] = this.nodes
    const body = JSON.stringify({ postgresql: { parameters } })
    await fetch(`http://${ADDRESS}:${node?.patroniPort}/config`, { method: 'PATCH', body })
  }

  /** Starts the Patroni of a node unless it runs, as an init system would. */
  startNode(node: DatabaseNode | undefined): void {
    if (!node || isRunning(this.#services.get(node.name))) return
    const file = path.join(this.folder, `${node.name}-patroni.yml`)
    const wrapper = node === this.nodes[0] ? this.#options.wrapFirst : undefined
    const wrap = wrapper?.(path.dirname(node.dataDir), this.#owner) ?? []
    this.#run(node.name, [...wrap, this.programs.patroni, file], { asRoot: wrap.length > 0 })
  }

  /** Kills all processes of a node with -9: Patroni, so that it restarts nothing, and PostgreSQL. */
  killNode(node: DatabaseNode): void {
    const patroni = this.#services.get(node.name)?.child.pid
    const victims = [patroni, ...(patroni ? findChildren(patroni) : []), ...this.postgresOf(node)]
    for (const pid of victims) kill(pid, 'SIGKILL')
  }

  /** Process ids of the PostgreSQL of a node, the postmaster first. */
  postgresOf(node: DatabaseNode): number[] {
    try {
      const postmaster = Number.parseInt(readFileSync(this.pathOnDisk(node, 'postmaster.pid'), 'utf8'), 10)
      const command = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8')
      return command.includes('postgres') ? [postmaster, ...findChildren(postmaster)] : []
    } catch {
      return []
    }
  }

  /** Path of a file in the data folder, which may be mounted for the node's processes only. */
  pathOnDisk(node: DatabaseNode, file: string): string {
    const isMounted = this.#options.wrapFirst && node === this.nodes[0]
    const root = isMounted ? `/proc/${this.#services.get(node.name)?.child.pid}/root` : '/'
    return path.join(root, node.dataDir, file)
  }

  /** Kills PgBouncer if it runs, and starts it. */
  async restartPooler(): Promise<void> {
    const former = this.#services.get('pgbouncer')?.child
    if (former && former.exitCode === null) {
      const ended = once(former, 'exit')
      former.kill('SIGKILL')
      await ended
    }
    const users = path.join(this.folder, 'users.txt')
    writeFileSync(users, `"scriptyard" "${PASSWORD}"\n`)
    const file = this.#write('pgbouncer.ini', 'pooler', {
      PROXY_ADDRESS: ADDRESS,
      PROXY_PORT: this.#proxyPort,
      POOLER_ADDRESS: ADDRESS,
      POOLER_PORT: this.#poolerPort,
      POOLER_USERS_FILE: users,
    })
    this.#run('pgbouncer', [this.programs.pgbouncer, '-q', file])
  }

  /** The end of the log of each program, for a drill that fails. */
  get logs(): string {
    return [...this.#services]
      .map(([name, { log }]) => `${name}: ${readFileSync(log, 'utf8').split('\n').slice(-8).join('\n')}`)
      .join('\n')
  }

  async close(): Promise<void> {
    const servers = this.nodes.flatMap((node) => this.postgresOf(node).slice(0, 1))
    for (const { child } of this.#services.values()) kill(child.pid, 'SIGKILL')
    // Unlike SIGKILL, this removes the shared memory of the server.
    for (const pid of servers) kill(pid, 'SIGQUIT')
    const end = performance.now() + QUERY_TIMEOUT_MS
    while (servers.some(isAlive) && performance.now() < end) await sleep(POLL_MS)
    for (const node of this.nodes) this.killNode(node)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #prepareNode(name: string, hosts: string, postgresPort: number, patroniPort: number): DatabaseNode {
    const dataDir = this.#folderOf(`data-${name}`)
    this.#write('patroni.yml', name, {
      ETCD_HOSTS: hosts,
      PATRONI_PORT: patroniPort,
      POSTGRES_PORT: postgresPort,
      POSTGRES_BIN: this.programs.postgres,
      DATA_DIR: path.join(dataDir, 'postgres'),
      PGPASS_FILE: path.join(dataDir, 'pgpass'),
      SOCKET_DIR: this.#folderOf(`socket-${name}`),
      SUPERUSER_PASSWORD: PASSWORD,
      REPLICATION_PASSWORD: PASSWORD,
      REWIND_PASSWORD: PASSWORD,
      NETWORK: `${ADDRESS}/32`,
    })
    return { name, postgresPort, patroniPort, dataDir: path.join(dataDir, 'postgres') }
  }

  #startProxy(): void {
    const values: Record<string, string | number> = { PROXY_ADDRESS: ADDRESS, PROXY_PORT: this.#proxyPort }
    for (const [i, { postgresPort, patroniPort }] of this.nodes.entries()) {
      values[`NODE${i + 1}_ADDRESS`] = ADDRESS
      values[`NODE${i + 1}_POSTGRES_PORT`] = postgresPort
      values[`NODE${i + 1}_PATRONI_PORT`] = patroniPort
    }
    this.#run('haproxy', [this.programs.haproxy, '-db', '-f', this.#write('haproxy.cfg', 'proxy', values)])
  }

  async #createDatabase(): Promise<void> {
    const primary = await this.getPrimary()
    await this.query(primary, `create role scriptyard login password '${PASSWORD}'`, 'postgres')
    await this.query(primary, 'create database scriptyard owner scriptyard', 'postgres')
  }

  #folderOf(name: string): string {
    const folder = path.join(this.folder, name)
    mkdirSync(folder, { mode: 0o700 })
    this.#give(folder)
    return folder
  }

  #give(file: string): void {
    const { uid, gid } = this.#owner
    if (uid !== undefined && gid !== undefined) giveTo({ uid, gid }, file)
  }

  #write(sample: Parameters<typeof readSample>[0], name: string, values: Record<string, string | number>): string {
    const file = path.join(this.folder, `${name}-${sample}`)
    const all = { NODE_NAME: name, NODE_ADDRESS: ADDRESS, ...this.#settings, ...values }
    writeFileSync(file, fillIn(readSample(sample), all), { mode: 0o600 })
    this.#give(file)
    return file
  }

  #run(name: string, [program = '', ...args]: readonly string[], { asRoot = false } = {}): void {
    const log = path.join(this.folder, `${name}.log`)
    const output = openSync(log, 'a')
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }
    const owner = asRoot ? {} : this.#owner
    const child = spawn(program, args, { ...owner, cwd: this.folder, env, stdio: ['ignore', output, output] })
    child.on('error', () => {})
    this.#services.set(name, { child, log })
  }

  async #waitFor(what: string, isDone: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + START_TIMEOUT_MS
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error(`Waited two minutes until ${what}.\n${this.logs}`)
      await sleep(POLL_MS * 3)
    }
  }
}

const isRunning = (service: Service | undefined): boolean =>
  service !== undefined && service.child.exitCode === null && service.child.signalCode === null

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function fetchQuickly({ patroniPort }: DatabaseNode, route: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(2000)
  return fetch(`http://${ADDRESS}:${patroniPort}${route}`, { signal }).catch(() => undefined)
}
