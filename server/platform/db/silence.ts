import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'

/** The server or the network between stopped answering. The code is SQLSTATE `connection_failure`. */
export class SilentConnectionError extends Error {
  readonly code = '08006'
}

// Properties of pg's clients that its types leave out.
declare module 'pg' {
  interface Client {
    connectionParameters: { application_name?: string; fallback_application_name?: string }
    /** False while an answer is outstanding. */
    readyForQuery?: boolean
    processID?: number
  }
}

const PROCESS = randomBytes(4).toString('hex')
/** PostgreSQL truncates longer names than 63 bytes. */
const MAX_PREFIX_LENGTH = 40
const CONNECT_TIMEOUT_MS = 3000
let created = 0

/** The server is a replica. The code is SQLSTATE `cannot_connect_now`: during a failover the next attempt may find the primary. */
export class StandbyError extends Error {
  readonly code = '57P03'

  constructor() {
    super('the server is a replica, not the primary')
  }
}

/**
 * Client with an `application_name` of its own, by which its session is found in `pg_stat_activity`. Process ids do not work:
 * poolers invent them.
 */
export class NamedClient extends pg.Client {
  /** Reported by PostgreSQL at the start of a session; poolers do not report it. */
  isStandby = false

  constructor(config: pg.ClientConfig = {}) {
    // A pool has one timeout for its queue and for new connections. The queue may take longer.
    const connectionTimeoutMillis = Math.min(config.connectionTimeoutMillis || Infinity, CONNECT_TIMEOUT_MS)
    // Not enumerable in the options of a pool.
    const { password } = config
    super({ ...config, password, connectionTimeoutMillis })
    const { connectionParameters: parameters } = this
    const prefix = parameters.application_name || parameters.fallback_application_name || 'scriptyard'
    parameters.application_name = `${prefix.slice(0, MAX_PREFIX_LENGTH)} ${PROCESS}-${++created}`
    this.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
      if (status.parameterName === 'in_hot_standby') this.isStandby = status.parameterValue === 'on'
    })
  }
}

const isWaiting = (client: pg.Client) => client.readyForQuery === false

const bytesReadBy = ({ connection: { stream } }: pg.Client) => (stream instanceof Socket ? stream.bytesRead : 0)

const nameOf = (client: pg.Client) => client.connectionParameters.application_name ?? ''

/** Closes a connection without waiting for a server that may not answer. */
export function closeClient(client: pg.Client): void {
  client.on('error', () => {})
  client.end().catch(() => {})
  setTimeout(() => client.connection.stream.destroy(), CLOSE_TIMEOUT_MS).unref()
}
const CLOSE_TIMEOUT_MS = 1000

export interface SilenceLimits {
  tickMs: number
  /** A client that receives nothing for this many ticks is checked. A blocked process counts no ticks. */
  silentTicks: number
  probeTimeoutMs: number
  /** For a client whose session cannot be looked up; longer than any statement of a request may take. */
  unknownTimeoutMs: number
}

const LIMITS: SilenceLimits = { tickMs: 300, silentTicks: 4, probeTimeoutMs: 1000, unknownTimeoutMs: 65_000 }
/** Ticks between two checks of slow statements. */
const MAX_PAUSE_TICKS = 6

export interface WatchedConnections {
  options: () => pg.ClientConfig
  countWaiting?: () => number
  isIdle?: (client: pg.Client) => boolean
  /** Called when no connection answers, not even a new one. */
  onOutage?: (error: Error) => void
  report?: (event: SilenceEvent) => void
}

export interface SilenceEvent {
  message: 'silent database connections closed' | 'database does not answer' | 'database answers again'
  connections: number
  reason?: string
}

interface Watched {
  bytesRead: number
  silentTicks: number
}

/** Includes statements whose answer may be on its way. `is_sending`: the server waits until the client reads. */
const FIND_ACTIVE = `select application_name as name, wait_event is not distinct from 'ClientWrite' as is_sending
  from pg_stat_activity where application_name = any($1)
  and (state = 'active' or state_change > clock_timestamp() - interval '1 second')`
/** An idle session ends only if its process id is known: a pooler may lend it to somebody else under its old name. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = any($1) and usename = current_user and (state <> 'idle' or pid = any($2))`

/** SQLSTATE classes of a connection that broke and a server that starts or stops. */
const AWAY = /^(08|57P)/

/** Whether the server sent this error: it answers, but does not admit the connection for the check. */
const isAnswer = (error: unknown) => error instanceof pg.DatabaseError && !AWAY.test(error.code ?? '')

/**
 * Closes connections on which no answer will arrive, which TCP alone takes minutes to notice. A silent client is checked
 * through a new connection: if its statement is still running, it is left alone. If not even a new one answers, all are
 * closed.
 */
export class SilenceDetector {
  readonly #connections: WatchedConnections
  readonly #limits: SilenceLimits
  readonly #clients = new Map<pg.Client, Watched>()
  #abandoned: { name: string; pid: number }[] = []
  #timer: NodeJS.Timeout | undefined
  #isProbing = false
  #isClosed = false
  #answers = 0
  #waitingTicks = 0
  #pauseTicks = 0
  #nextPauseTicks = 1
  #outage: SilentConnectionError | undefined

  constructor(connections: WatchedConnections, limits: Partial<SilenceLimits> = {}) {
    this.#connections = connections
    this.#limits = { ...LIMITS, ...limits }
  }

  get outage(): SilentConnectionError | undefined {
    return this.#outage
  }

  get answers(): number {
    this.#look()
    return this.#answers
  }

  watch(client: pg.Client): void {
    this.#answers++
    this.#clients.set(client, { bytesRead: bytesReadBy(client), silentTicks: 0 })
    client.once('end', () => this.#clients.delete(client))
    this.start()
  }

  /** Call it when somebody waits for a connection. */
  start(): void {
    if (this.#isClosed) return
    this.#timer ??= setInterval(() => this.#tick(), this.#limits.tickMs).unref()
  }

  /** Stops once the clients that are in use have ended. */
  close(): void {
    this.#isClosed = true
  }

  #tick(): void {
    const answers = this.#answers
    this.#look()
    for (const [client, watched] of this.#clients) if (isWaiting(client)) watched.silentTicks++
    const hasCallers = (this.#connections.countWaiting?.() ?? 0) > 0
    this.#waitingTicks = hasCallers && answers === this.#answers ? this.#waitingTicks + 1 : 0
    const { silentTicks } = this.#limits
    const isDue = this.#waitingTicks >= silentTicks || this.#silentClients(silentTicks).length > 0
    if (!isDue) this.#nextPauseTicks = 1
    if (this.#isProbing) return
    if ((this.#outage && !this.#isClosed) || (isDue && this.#pauseTicks-- <= 0)) void this.#probe()
    else if (!isDue && !hasCallers && this.#isUnused()) this.#stop()
  }

  /** Whether there are no clients to watch; after `close`, whether all are idle. */
  #isUnused(): boolean {
    const isIdle = this.#isClosed ? this.#connections.isIdle : undefined
    return this.#clients.size === 0 || (isIdle !== undefined && [...this.#clients.keys()].every(isIdle))
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    for (const [client, watched] of this.#clients) {
      const bytesRead = bytesReadBy(client)
      const isAnswered = bytesRead !== watched.bytesRead
      if (isAnswered) this.#answers++
      if (isAnswered || !isWaiting(client)) watched.silentTicks = 0
      watched.bytesRead = bytesRead
    }
  }

  #silentClients(ticks: number): [pg.Client, Watched][] {
    return [...this.#clients].filter(([, { silentTicks }]) => silentTicks >= ticks)
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    const { probeTimeoutMs } = this.#limits
    const suspects = this.#silentClients(this.#limits.silentTicks).map(([client]) => client)
    const { answers } = this
    const timeouts = { connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs }
    const probe = new NamedClient({ ...this.#connections.options(), ...timeouts })
    probe.on('error', () => {})
    try {
      await probe.connect()
      const active = await findActive(probe, [probe, ...suspects])
      this.#endOutage()
      // Without our own session in the view, the others' absence means nothing.
      if (active.has(probe)) this.#closeSilent(suspects.filter((client) => !active.has(client)))
      else this.#closeUnknown()
      await this.#endAbandoned(probe)
    } catch (error) {
      if (!isAnswer(error) && answers === this.answers) this.#beginOutage(error as Error)
      this.#closeUnknown()
    }
    closeClient(probe)
    this.#pauseTicks = this.#nextPauseTicks
    this.#nextPauseTicks = Math.min(this.#nextPauseTicks * 2, MAX_PAUSE_TICKS)
    this.#isProbing = false
  }

  /** Closes the suspects that are still silent, and the idle clients, which likely are silent as well. */
  #closeSilent(suspects: pg.Client[]): void {
    this.#look()
    const { isIdle } = this.#connections
    const silent = this.#silentClients(this.#limits.silentTicks)
      .map(([client]) => client)
      .filter((client) => suspects.includes(client))
    if (silent.length === 0) return
    const idle = isIdle ? [...this.#clients.keys()].filter(isIdle) : []
    this.#report({ message: 'silent database connections closed', connections: silent.length })
    this.#drop([...silent, ...idle])
  }

  #closeUnknown(): void {
    const { unknownTimeoutMs, tickMs } = this.#limits
    this.#drop(this.#silentClients(unknownTimeoutMs / tickMs).map(([client]) => client))
  }

  #drop(clients: pg.Client[]): void {
    for (const client of new Set(clients)) {
      this.#abandoned.push({ name: nameOf(client), pid: client.processID ?? 0 })
      this.#clients.delete(client)
      client.connection.stream.destroy(new SilentConnectionError('the connection is silent'))
    }
  }

  async #endAbandoned(probe: pg.Client): Promise<void> {
    const abandoned = this.#abandoned
    if (abandoned.length === 0) return
    this.#abandoned = []
    await probe.query(TERMINATE, [abandoned.map(({ name }) => name), abandoned.map(({ pid }) => pid)])
  }

  #beginOutage({ message }: Error): void {
    const connections = this.#clients.size
    if (!this.#outage) this.#report({ message: 'database does not answer', connections, reason: message })
    this.#outage = new SilentConnectionError('the database does not answer')
    this.#drop([...this.#clients.keys()])
    this.#connections.onOutage?.(this.#outage)
  }

  #endOutage(): void {
    if (!this.#outage) return
    this.#outage = undefined
    this.#report({ message: 'database answers again', connections: 0 })
  }

  /** A check may still run when the last client has ended after `close`. Nobody needs its result. */
  #report(event: SilenceEvent): void {
    if (this.#isClosed && this.#clients.size === 0) return
    this.#connections.report?.(event)
  }
}

async function findActive(probe: pg.Client, clients: pg.Client[]): Promise<Set<pg.Client>> {
  const { rows } = await probe.query<{ name: string; is_sending: boolean }>(FIND_ACTIVE, [clients.map(nameOf)])
  const sessions = new Map(rows.map((row) => [row.name, row]))
  return new Set(
    clients.filter((client) => {
      const session = sessions.get(nameOf(client))
      // The server cannot send although we read: the rest of the answer is lost.
      return session && (!session.is_sending || client.connection.stream.isPaused())
    }),
  )
}
