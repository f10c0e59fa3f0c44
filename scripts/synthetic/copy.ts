import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'

type Value = string | number | boolean | Date | null

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function encode(value: Value): string {
  if (value === null) return '\\N'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return typeof value === 'number' ? String(value) : value.replace(/[\\\t\n\r]/g, (c) => ESCAPES[c] ?? c)
}

const FLUSH_CHARACTERS = 256 * 1024

/** Fills one table with COPY on its own connection, without triggers and foreign key checks. */
export class TableCopy {
  readonly #client: pg.PoolClient
  readonly #stream: CopyStreamQuery
  #text = ''

  private constructor(client: pg.PoolClient, stream: CopyStreamQuery) {
    this.#client = client
    this.#stream = stream
  }

  static async open(pool: pg.Pool, table: string, columns: readonly string[]): Promise<TableCopy> {
    const client = await pool.connect()
    await client.query('set statement_timeout = 0')
    await client.query('set session_replication_role = replica')
    return new TableCopy(client, client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`)))
  }

  row(values: Value[]): void {
    this.#text += `${values.map(encode).join('\t')}\n`
  }

  /** Sends the buffered rows. Await it regularly to bound the buffer. */
  async drain(): Promise<void> {
    if (this.#text.length < FLUSH_CHARACTERS) return
    const text = this.#text
    this.#text = ''
    if (!this.#stream.write(text)) await once(this.#stream, 'drain')
  }

  async close(): Promise<void> {
    this.#stream.end(this.#text)
    await finished(this.#stream)
    this.#client.release(true)
  }
}
