import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { prepareDataDir } from '#server/platform/config/data-dir.ts'
import { type Environment, UserFacingError } from '#server/platform/config/values.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { findRunningPostgres } from '#server/platform/db/embedded.ts'
import { describeLocation } from '#server/platform/config/storage.ts'
import { findMissingMigrations } from '#server/platform/db/migrate.ts'
import { type Connection, openPool } from '#server/platform/db/pool.ts'
import { requireDurability } from '#server/platform/db/prepare.ts'
import { requireSecretKeys } from '#server/platform/db/secret-keys.ts'
import { createSeal } from '#server/platform/db/seal.ts'
import { createMailer } from '#server/features/email/smtp.ts'
import { type DiscordApplication, findBackup, readSetup, Setup, type SetupRow } from '#server/operations/setup/setup.ts'
import { getBackupState } from '#server/operations/backup/runs.ts'
import { openStorage, probeStorage } from '#server/operations/backup/storage.ts'
import { openMedia } from '#server/platform/media/upload.ts'
import { readArchive } from '#server/operations/wal-archive/archive.ts'
import { describeRanges } from '#server/operations/wal-archive/recover.ts'
import { getWalArchiveState } from '#server/operations/wal-archive/scheduled.ts'

export interface Finding {
  subject: string
  state: 'ok' | 'skipped' | 'warning' | 'problem'
  /** A sentence; for problems with what to do. */
  text: string
}

type Result = Omit<Finding, 'subject'>

const ok = (text: string): Result => ({ state: 'ok', text })
const skipped = (text: string): Result => ({ state: 'skipped', text })
const warning = (text: string): Result => ({ state: 'warning', text })
const problem = (text: string): Result => ({ state: 'problem', text })

const TIMEOUT_MS = 5000
const GIGABYTE = 1e9
const FREE_WARNING_BYTES = 5 * GIGABYTE
const FREE_PROBLEM_BYTES = 0.5 * GIGABYTE
const MAX_CLOCK_DIFFERENCE_S = 5
const MAX_REPLICA_DELAY_S = 10
/** The version that the tests use; older ones may lack functions that our SQL uses. */
const MIN_POSTGRES = 180_000

/** Checks the settings and everything that a site with them needs. Changes nothing. Never throws for what it finds. */
export async function examine(env: Environment): Promise<Finding[]> {
  const findings: Finding[] = []
  const check = async (subject: string, run: () => Promise<Result | Result[]> | Result) => {
    const results = await Promise.resolve()
      .then(run)
      .catch((error: unknown) => problem(describe(error)))
    findings.push(...[results].flat().map((result) => ({ subject, ...result })))
  }
  let config: Config | undefined
  await check('Settings', () => {
    config = readConfig(env)
    return ok('All settings are valid.')
  })
  if (!config) return findings
  const settings = config
  await check('Data folder', () => checkFolder(settings))
  await check('Disk', () => checkDisk(settings))
  await check('Database', () => checkDatabase(settings))
  for (const url of settings.databaseReplicaUrls) await check('Replica', () => checkReplica(url))
  await check('Images', () => checkImages(settings))
  const { row, application } = await readOwnersChoice(settings)
  await check('Backups', () => {
    const backup = findBackup(settings, row)
    return checkBackups({ ...settings, ...(backup && { backup }) })
  })
  if (settings.walArchive) await check('WAL archive', () => checkWalArchive(settings))
  await check('Discord', () => checkDiscord({ ...settings, discord: { ...settings.discord, ...application } }))
  await check('Email', () => checkEmail(settings))
  await check('Traces', () => checkTraces(settings))
  await check('Public URL', () => checkPublicUrl(settings))
  return findings
}

async function readOwnersChoice(
  config: Config,
): Promise<{ row?: SetupRow | undefined; application?: DiscordApplication | undefined }> {
  const { databaseUrl, databaseDirectUrl, dataDir, secretKey, retiredSecretKeys } = config
  const connection = databaseDirectUrl ?? databaseUrl ?? findRunningPostgres(dataDir)
  if (!connection) return {}
  const seal = createSeal(secretKey, 'setup', retiredSecretKeys)
  const read = async (pool: pg.Pool) => {
    const db = openDatabase(pool)
    const setup = new Setup({ db, log: { warn: () => {} }, config, seal, onChange: () => {} })
    await setup.reload()
    return { row: await readSetup(db), application: setup.application }
  }
  // A database that cannot be reached, or has no tables yet, is a finding of its own.
  return withPool(connection, read).catch(() => ({}))
}

function describe(error: unknown): string {
  if (error instanceof UserFacingError) return error.message
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message || (error as NodeJS.ErrnoException).code}${cause}`
}

function checkFolder({ dataDir }: Config): Result {
  if (!existsSync(dataDir)) return skipped(`${dataDir} does not exist yet; the first start creates it.`)
  prepareDataDir(dataDir)
  return ok(`${dataDir} can be written.`)
}

async function checkDisk({ dataDir }: Config): Promise<Result> {
  let folder = dataDir
  while (!existsSync(folder)) folder = path.dirname(folder)
  const { bavail, bsize, files, ffree } = await statfs(folder)
  const free = bavail * bsize
  const text = `${(free / GIGABYTE).toFixed(1)} GB are free.`
  if (free < FREE_PROBLEM_BYTES) return problem(`${text} Free some space, or move DATA_DIR to a larger disk.`)
  if (files > 0 && ffree / files < 0.01)
    return problem('The disk has almost no inodes left. Delete files that you do not need.')
  return free < FREE_WARNING_BYTES ? warning(`${text} Free some space soon.`) : ok(text)
}

async function checkDatabase(config: Config): Promise<Result | Result[]> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config
  const connection = databaseDirectUrl ?? databaseUrl ?? findRunningPostgres(dataDir)
  if (!connection) return skipped('The site is not running, so its PostgreSQL was not checked. Start it and try again.')
  return withPool(connection, async (pool) => {
    await requireDurability(pool)
    const results = [await checkVersion(pool), await checkClock(pool), await checkMigrations(pool)]
    const hasKeys = await pool.query<{ exists: boolean }>(`select to_regclass('secret_keys') is not null as exists`)
    if (hasKeys.rows[0]?.exists) {
      await requireSecretKeys(openDatabase(pool), config)
      results.push(ok('The secret key is the key of this database.'))
    }
    return results
  })
}

async function withPool<T>(connection: Connection, run: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool(connection, 1, { connectionTimeoutMillis: TIMEOUT_MS })
  try {
    await pool.query('select').catch((error: unknown) => {
      const advice = 'Check that it is running, and that its URL, its user and its password are right.'
      throw new UserFacingError(`The server cannot be reached (${describe(error)}). ${advice}`)
    })
    return await run(pool)
  } finally {
    await pool.end()
  }
}

async function checkVersion(pool: pg.Pool): Promise<Result> {
  const { rows } = await pool.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const { number = 0, name = '' } = rows[0] ?? {}
  const text = `PostgreSQL ${name} answers.`
  return number < MIN_POSTGRES ? problem(`${text} Update it to version 18 or later.`) : ok(text)
}

/** Times of the database and of this machine are compared with each other, for example when sessions expire. */
async function checkClock(pool: pg.Pool): Promise<Result> {
  const start = Date.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const middle = (start + Date.now()) / 2
  return compareClocks('the database', ((rows[0]?.now.getTime() ?? 0) - middle) / 1000)
}

function compareClocks(clockOwner: string, seconds: number): Result {
  const difference = Math.abs(seconds)
  if (difference <= MAX_CLOCK_DIFFERENCE_S) return ok(`The clocks of ${clockOwner} and of this machine agree.`)
  const text = `The clock of ${clockOwner} is ${Math.round(difference)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`
  return problem(`${text} Synchronize both, for example with chrony.`)
}

async function checkMigrations(pool: pg.Pool): Promise<Result> {
  const missing = await findMissingMigrations(pool)
  if (missing.length === 0) return ok('The database has the schema of this version.')
  const count = `${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'}`
  const advice = missing.every(({ isCompatible }) => isCompatible)
    ? 'The running site supports it, so `npm run reload` can apply it too.'
    : 'Stop the site before it.'
  return warning(`The next start applies ${count}. ${advice} Back up the database first.`)
}

async function checkReplica(url: string): Promise<Result> {
  return withPool(url, async (pool) => {
    const { rows } = await pool.query<{ is_replica: boolean; delay: number | null }>(
      `select pg_is_in_recovery() as is_replica, case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as delay`,
    )
    const [row] = rows
    if (!row?.is_replica) return problem('This server is no replica. Remove its URL from DATABASE_REPLICA_URLS.')
    const delay = row.delay ?? 0
    const text = `The replica is ${Math.round(delay)} s behind.`
    return delay > MAX_REPLICA_DELAY_S
      ? warning(`${text} Until it catches up, the primary answers its reads.`)
      : ok(text)
  })
}

/** Writes, reads and removes a file like an image. */
async function checkImages(config: Config): Promise<Result> {
  if (!config.mediaS3 && !existsSync(config.dataDir)) return skipped('The data folder does not exist yet.')
  const { store } = openMedia(config, { concurrency: 1 })
  const name = `${randomBytes(32).toString('hex')}.webp`
  const bytes = randomBytes(100)
  await store.put(name, bytes)
  const stored = await store.get(name)
  await store.remove(name)
  if (!stored?.equals(bytes)) return problem('A stored file has other content when it is read. Check the storage.')
  return ok(`Images can be stored ${config.mediaS3 ? `in the bucket ${config.mediaS3.bucket}` : 'in the data folder'}.`)
}

async function checkBackups(config: Config): Promise<Result | Result[]> {
  const { backup, databaseUrl, databaseDirectUrl, dataDir } = config
  if (!backup) return skipped('BACKUP_TARGET is not set, so the site writes no backups.')
  const target = describeLocation(backup.target)
  if (typeof backup.target !== 'string') await probeStorage(backup.target)
  else if (!(await isWritable(backup.target)))
    return problem(`BACKUP_TARGET (${target}) cannot be written. Set it to a folder that the site may write.`)
  const results = [ok(`${target} can be written.`)]
  const connection = databaseDirectUrl ?? databaseUrl ?? findRunningPostgres(dataDir)
  if (!connection) return results
  const readState = async (pool: pg.Pool) => {
    const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('backups') is not null as exists`)
    return rows[0]?.exists ? getBackupState(openDatabase(pool), backup) : null
  }
  // A database that cannot be reached is a finding of its own.
  const state = await withPool(connection, readState).catch(() => null)
  if (!state) return results
  const { verifiedAt, isLate, error } = state
  const age = verifiedAt
    ? `The last verified backup is from ${verifiedAt.toISOString()}.`
    : 'There is no verified backup yet.'
  if (error) return [...results, problem(`${age} The last one failed: ${error}`)]
  return [...results, isLate ? problem(`${age} Look for "backup failed" in the log.`) : ok(age)]
}

/** Whether a folder, or the one in which it would be created, can be written. */
async function isWritable(target: string): Promise<boolean> {
  let folder = target
  while (!existsSync(folder)) folder = path.dirname(folder)
  return access(folder, constants.W_OK).then(
    () => statSync(folder).isDirectory(),
    () => false,
  )
}

async function checkWalArchive({ walArchive, dataDir }: Config): Promise<Result | Result[]> {
  if (!walArchive) return []
  await probeStorage(walArchive.location)
  const storage = openStorage(walArchive.location)
  const archive = await readArchive(storage)
  const hasBase = archive.bases.length > 0
  const results = [
    ok(`${storage.location} can be written.`),
    hasBase
      ? await describeRanges(storage).then(ok, (error: unknown) => problem(describe(error)))
      : warning('There is no base backup yet; a running site writes one.'),
  ]
  const connection = findRunningPostgres(dataDir)
  if (!connection) return results
  const readState = async (pool: pg.Pool) => getWalArchiveState(openDatabase(pool), walArchive)
  // A database that cannot be reached is a finding of its own.
  const state = await withPool(connection, readState).catch(() => null)
  if (!state) return results
  const { isFailing, waiting, base } = state
  if (isFailing) {
    const reason = `PostgreSQL could not archive its WAL, and ${waiting * 16} MB of it wait on the disk.`
    results.push(problem(`${reason} Look for "WAL archive" in the log of the site, which says why.`))
  }
  if (base.error) results.push(problem(`The last base backup failed: ${base.error}`))
  else if (base.isLate) results.push(problem('Two base backups are missing. Look for "base backup" in the log.'))
  return results
}

async function checkDiscord({ appEnv, discord }: Config): Promise<Result | Result[]> {
  const { clientId, clientSecret, apiUrl } = discord
  if (!clientId || !clientSecret) {
    if (appEnv === 'local') return skipped('No Discord application is set, so members sign in with test accounts.')
    return problem('Set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, so that members can sign in.')
  }
  const start = Date.now()
  const response = await fetch(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => describe(error))
  if (typeof response === 'string')
    return problem(`${apiUrl} cannot be reached (${response}). Check the network and the proxy of this machine.`)
  if (response.status === 401)
    return problem('Discord rejects the application. Check DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET.')
  if (!response.ok) return warning(`Discord answered with status ${response.status}. Try again later.`)
  const date = Date.parse(response.headers.get('date') ?? '')
  const results = [ok('Discord accepts the application.')]
  // The header has whole seconds.
  if (!Number.isNaN(date)) results.push(compareClocks('Discord', (date + 500 - (start + Date.now()) / 2) / 1000))
  return results
}

async function checkEmail({ email, publicUrl }: Config): Promise<Result> {
  if (!email) return skipped('SMTP_URL is not set, so the site sends no email.')
  const failure = await createMailer(email, publicUrl)
    .verify()
    .then(() => undefined, describe)
  if (failure === undefined) return ok('The mail server accepts the site.')
  return problem(`The mail server does not accept the site (${failure}). Check SMTP_URL, its user and its password.`)
}

/** Sends an empty list of traces. */
async function checkTraces({ tracing }: Config): Promise<Result> {
  if (!tracing) return skipped('OTEL_EXPORTER_OTLP_ENDPOINT is not set, so the site sends no traces.')
  const response = await fetch(`${tracing.endpoint}/v1/traces`, {
    method: 'POST',
    headers: { ...tracing.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(describe)
  if (typeof response === 'string')
    return warning(`The collector of traces cannot be reached (${response}). Check OTEL_EXPORTER_OTLP_ENDPOINT.`)
  if (!response.ok)
    return warning(
      `The collector of traces answers with status ${response.status}. Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS.`,
    )
  return ok('The collector accepts traces.')
}

async function checkPublicUrl({ publicUrl, appEnv }: Config): Promise<Result> {
  if (appEnv === 'production' && !publicUrl.startsWith('https:'))
    return problem(
      'PUBLIC_URL is not encrypted. Put a proxy with TLS in front of the site and set PUBLIC_URL to its https: URL.',
    )
  const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(describe)
  if (typeof response === 'string')
    return warning(
      `${publicUrl} does not answer (${response}). If the site is running, check the proxy and the firewall.`,
    )
  const health = (await response.json().catch(() => undefined)) as { status?: string } | undefined
  if (!response.ok || health === undefined)
    return problem(`${publicUrl} is answered by another server. Check the proxy.`)
  return ok(`${publicUrl} leads to this site.`)
}
