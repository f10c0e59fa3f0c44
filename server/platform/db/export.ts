import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { SLOW_SERVER } from './pool.ts'
import { NamedClient, SilenceDetector } from './silence.ts'

/** Runs on a connection of its own, which is closed if the server stops answering. */
export async function withExportClient<T>(
  connection: pg.ClientConfig,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new NamedClient(connection)
  const silence = new SilenceDetector({ options: () => connection }, SLOW_SERVER)
  // A broken connection fails the query, too.
  client.on('error', () => {})
  try {
    await client.connect()
    silence.watch(client)
    return await run(client)
  } finally {
    silence.close()
    client.connection.stream.destroy()
  }
}

export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  // Parallel workers and compilation would take processors from the site.
  await client.query(
    'set local statement_timeout = 0; set local max_parallel_workers_per_gather = 0; set local jit = off',
  )
}

interface CopyOptions {
  gzipLevel: number
  /** Whether to pause for two thirds of the time, so that the database server has time for requests. */
  isPaced: boolean
}

interface Sum {
  bytes: number
  sha256: string
}

export interface CopiedFile {
  rows: number
  /** The rows, uncompressed. */
  content: Sum
  file: Sum
}

/** Pause for each millisecond of work. With 0.5, lists took up to twice as long (p99) beside a dump of a million scripts. */
export const PAUSE_PER_WORK = 2
/** Work between two pauses. PostgreSQL stops producing rows while nobody reads them. */
const SLICE_MS = 10
const NEWLINE = 0x0a

/** Compresses the rows of a COPY statement, one per line, into a new file. Memory is bounded: the disk slows down the query. */
export async function copyToFile(
  client: pg.Client,
  statement: string,
  file: string,
  { gzipLevel, isPaced }: CopyOptions,
): Promise<CopiedFile> {
  const content = new Checksum()
  const compressed = new Checksum()
  let rows = 0
  let resumedAt = performance.now()
  await pipeline(
    client.query(to(statement)),
    async function* countLines(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        content.add(chunk)
        rows += countRows(chunk)
        yield chunk
        const busy = performance.now() - resumedAt
        if (!isPaced || busy < SLICE_MS) continue
        await setTimeout(busy * PAUSE_PER_WORK)
        resumedAt = performance.now()
      }
    },
    createGzip({ level: gzipLevel }),
    async function* checksum(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        compressed.add(chunk)
        yield chunk
      }
    },
    createWriteStream(file, { flags: 'wx', flush: true }),
  )
  return { rows, content: content.finish(), file: compressed.finish() }
}

/** Rows that end in a part of COPY's text output, which escapes the line breaks of values. */
export function countRows(chunk: Buffer): number {
  let rows = 0
  for (let i = chunk.indexOf(NEWLINE); i >= 0; i = chunk.indexOf(NEWLINE, i + 1)) rows++
  return rows
}

export class Checksum {
  readonly #hash = createHash('sha256')
  #bytes = 0

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
  }

  finish(): Sum {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
