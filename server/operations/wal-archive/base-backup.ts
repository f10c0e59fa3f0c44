// Base backups: a copy of the files of PostgreSQL, made by the server itself while it runs.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { keyFileOf, readKeyFile } from '#server/platform/config/secret-keys.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { Checksum } from '#server/platform/db/export.ts'
import type { BackupStorage } from '#server/operations/backup/storage.ts'
import { BASE_KEY, BASE_MANIFEST, BASE_TAR, baseObject, readArchive, segmentOf, toBaseManifest } from './archive.ts'
import { readSegment, requireIdentity } from './wal-files.ts'

export interface BaseBackupTask {
  connection: pg.ClientConfig
  storage: BackupStorage
  keyFolder: string
  isFast: boolean
}

const GZIP_LEVEL = 4
/** For PostgreSQL to archive the end of the backup. */
const ARCHIVE_TIMEOUT_MS = 120_000
const POLL_MS = 200

/** Adds a base backup to an archive. It counts once its manifest is there, after all of its WAL. Throws UserFacingError. */
export async function writeBaseBackup(task: BaseBackupTask): Promise<{ name: string; bytes: number }> {
  const { storage, keyFolder, isFast } = task
  // The connection takes commands of the replication protocol as well as SQL.
  const options = { ...task.connection, replication: 'database', statement_timeout: 0 } as pg.ClientConfig
  const client = new pg.Client(options)
  client.on('error', () => {})
  await client.connect()
  try {
    const system = await client.query<{ systemid: string; timeline: string }>('IDENTIFY_SYSTEM')
    const { systemid = '' } = system.rows[0] ?? {}
    const timeline = Number(system.rows[0]?.timeline)
    await requireIdentity(storage, systemid)
    const name = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '') + 'Z'
    const copy = new BaseBackupQuery(isFast)
    client.query(copy)
    const tar = new Checksum()
    await pipeline(copy, createGzip({ level: GZIP_LEVEL }), (chunks: AsyncIterable<Buffer>) =>
      storage.put(baseObject(name, BASE_TAR), Readable.from(summed(chunks, tar), { objectMode: false })),
    )
    const { start, stop } = copy.positions
    const { rows } = await client.query<{ finished_at: string; version: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as finished_at,
         current_setting('server_version') as version`,
    )
    const { finished_at = '', version = '' } = rows[0] ?? {}
    await waitForWal(storage, { timeline, stop })
    const keys = readKeyFile(keyFolder) ? await readFile(keyFileOf(keyFolder)) : undefined
    if (keys) await storage.put(baseObject(name, BASE_KEY), keys)
    const sum = tar.finish()
    const manifest = toBaseManifest({
      system_identifier: systemid,
      postgres_version: version,
      finished_at,
      timeline,
      start,
      stop,
      tar: sum,
      secret_key: keys ? sumOf(keys) : null,
    })
    await storage.put(baseObject(name, BASE_MANIFEST), manifest)
    return { name, bytes: sum.bytes }
  } finally {
    await client.end()
  }
}

function sumOf(bytes: Buffer) {
  const sum = new Checksum()
  sum.add(bytes)
  return sum.finish()
}

async function* summed(chunks: AsyncIterable<Buffer>, sum: Checksum): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sum.add(chunk)
    yield chunk
  }
}

/** Segments are archived in their order. */
async function waitForWal(
  storage: BackupStorage,
  { timeline, stop }: { timeline: number; stop: string },
): Promise<void> {
  const last = segmentOf(stop)
  const started = performance.now()
  while (performance.now() - started < ARCHIVE_TIMEOUT_MS) {
    const { segments } = await readArchive(storage)
    const isThere = [...segments].some((name) => {
      const parsed = readSegment(name)
      return parsed?.timeline === timeline && parsed.segment >= last
    })
    if (isThere) return
    await setTimeout(POLL_MS)
  }
  throw new UserFacingError(
    `PostgreSQL does not archive its WAL in ${storage.location}. Look for "WAL archive" in the log.`,
  )
}

/** Kinds of messages in the copy stream of BASE_BACKUP (PostgreSQL manual, "Streaming Replication Protocol"). */
const DATA = 'd'.charCodeAt(0)

class BaseBackupQuery extends Readable implements pg.Submittable {
  readonly #command: string
  readonly #rows: string[][] = []
  #connection: pg.Connection | undefined

  constructor(isFast: boolean) {
    super()
    this.#command = `BASE_BACKUP (LABEL 'scriptyard', TARGET 'client', MANIFEST 'no', WAIT false, CHECKPOINT '${isFast ? 'fast' : 'spread'}')`
  }

  get positions(): { start: string; stop: string } {
    return { start: this.#rows[0]?.[0] ?? '', stop: this.#rows.at(-1)?.[0] ?? '' }
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection
    connection.query(this.#command)
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: string[] }): void {
    this.#rows.push(fields)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] !== DATA) return
    // The parser reuses its buffer.
    if (!this.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause()
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.destroy(error)
  }

  handleReadyForQuery(): void {
    // Nothing reads this stream any more, and the connection is for further queries.
    this.#connection?.stream.resume()
    this.push(null)
  }
}
