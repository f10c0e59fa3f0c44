import pg from 'pg'

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (broken?: unknown) => void) => void

/** More than come through before they give up waiting. */
const MAX_WAITING = 4000

/** PostgreSQL's own code for it: too many connections. */
class TooManyWaiting extends Error {
  readonly code = '53300'
}

/** A pool at which so many may wait for a connection, and who comes then is refused at once. */
export class BoundedPool extends pg.Pool {
  readonly #maxWaiting: number

  constructor(config: pg.PoolConfig, mostWaiting = MAX_WAITING) {
    super(config)
    this.#maxWaiting = mostWaiting
  }

  override connect(): Promise<pg.PoolClient>
  override connect(taken: Taken): void
  override connect(taken?: Taken): Promise<pg.PoolClient> | void {
    if (this.waitingCount < this.#maxWaiting) return taken ? super.connect(taken) : super.connect()
    const error = new TooManyWaiting(`${this.waitingCount} requests wait for a connection already`)
    if (!taken) return Promise.reject(error)
    taken(error, undefined, () => {})
  }
}
