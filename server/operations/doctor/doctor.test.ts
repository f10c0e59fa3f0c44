import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createSeal } from '#server/platform/db/seal.ts'
import { prepareSecretKeys } from '#server/platform/db/secret-keys.ts'
import { MailServer } from '#tests/support/email.ts'
import { startCluster, type TestCluster } from '#tests/support/replica.ts'
import { startS3, type TestS3 } from '#tests/support/s3.ts'
import { examine } from './doctor.ts'

/** The responses of Discord's token endpoint and the site's `/healthz`. */
const answers = { discord: 200, date: 0, health: '{"status":"ok"}' }
const SECRET_KEY = '5e'.repeat(32)

let cluster: TestCluster
let s3: TestS3
const mail = new MailServer()
let server: Server
let origin: string
let folder: string
beforeAll(async () => {
  cluster = await startCluster()
  s3 = await startS3()
  await mail.start()
  server = createServer((request, response) => {
    const date = new Date(Date.now() + answers.date).toUTCString()
    if (request.url === '/healthz') response.end(answers.health)
    else if (request.url === '/v1/traces') response.end('{}')
    else response.writeHead(answers.discord, { date }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-doctor-'))
})
afterAll(async () => {
  await cluster.stop()
  await s3.close()
  await mail.close()
  server.close()
  rmSync(folder, { recursive: true })
})

const databaseUrl = (database = 'postgres') =>
  `postgres:///${database}?host=${encodeURIComponent(cluster.connection.host)}&user=${cluster.connection.user}`

function environment(): Record<string, string> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings
  return {
    DATA_DIR: folder,
    SECRET_KEY,
    SMTP_URL: mail.url,
    SMTP_FROM: 'mail@yard.example',
    DATABASE_URL: databaseUrl(),
    BACKUP_TARGET: path.join(folder, 'backups'),
    PUBLIC_URL: origin,
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    DISCORD_API_URL: origin,
    DISCORD_CLIENT_ID: '1234567890',
    DISCORD_CLIENT_SECRET: 'secret',
    MEDIA_S3_ENDPOINT: endpoint,
    MEDIA_S3_BUCKET: bucket,
    MEDIA_S3_REGION: region,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

/** The findings with these settings, without those in order. */
async function findFaults(more: Record<string, string> = {}): Promise<string[]> {
  const findings = await examine({ ...environment(), ...more })
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ subject, state, text }) => `${state} ${subject}: ${text}`)
}

test('a new database is migrated by the next start', async () => {
  expect(await findFaults()).toEqual([
    expect.stringMatching(
      /^warning Database: The next start applies \d+ migrations\. Stop the site before it\. Back up the database first\.$/,
    ),
  ])
  const pool = openPool(cluster.connection)
  await migrate(pool)
  await prepareSecretKeys(openDatabase(pool), readConfig(environment()))
  await pool.end()
})

test('a site that has everything is in order, and nothing is left behind', async () => {
  const findings = await examine(environment())
  expect(findings.filter(({ state }) => state !== 'ok' && !/GB are free/.test(findings[2]?.text ?? ''))).toEqual([])
  expect(new Set(findings.map(({ subject }) => subject))).toEqual(
    new Set([
      'Settings',
      'Data folder',
      'Disk',
      'Database',
      'Images',
      'Backups',
      'Discord',
      'Email',
      'Traces',
      'Public URL',
    ]),
  )
  expect(s3.keys()).toEqual([])
})

test.each([
  [{ PORT: 'x' }, /^problem Settings: PORT /],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
    /^problem Database: The server cannot be reached \(connect ECONNREFUSED .*\)\. Check that it is running/,
  ],
  [{ SECRET_KEY: '6f'.repeat(32) }, /^problem Database: SECRET_KEY is not the key of this database/],
  [{ MEDIA_S3_SECRET_ACCESS_KEY: 'wrong' }, /^problem Images: /],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:2' },
    /^warning Traces: The collector of traces cannot be reached \(fetch failed/,
  ],
  [
    { SMTP_URL: 'smtp://127.0.0.1:1' },
    /^problem Email: The mail server does not accept the site \(connect ECONNREFUSED/,
  ],
  [{ DISCORD_API_URL: 'http://127.0.0.1:1' }, /^problem Discord: http:\/\/127\.0\.0\.1:1 cannot be reached/],
  [{ APP_ENV: 'production', PUBLIC_URL: 'https://127.0.0.1:1' }, /^warning Public URL: .* does not answer/],
])('%j is a problem', async (settings, expected) => {
  expect(await findFaults(settings)).toEqual([expect.stringMatching(expected)])
})

test('what the owner chose in the setup is checked like settings', async () => {
  const none = { DISCORD_CLIENT_ID: '', DISCORD_CLIENT_SECRET: '', BACKUP_TARGET: '' }
  expect(await findFaults(none)).toEqual([
    expect.stringMatching(/^skipped Backups: BACKUP_TARGET is not set/),
    expect.stringMatching(/^skipped Discord: No Discord application is set/),
  ])
  const pool = openPool(cluster.connection)
  const sealed = createSeal(Buffer.from(SECRET_KEY, 'hex'), 'setup').seal('secret')
  await pool.query(
    `insert into setup (token_hash, discord_client_id, sealed_discord_secret, backup_target)
     values (sha256('x'), '123456789012345678', $1, $2)`,
    [sealed, path.join(folder, 'backups')],
  )
  expect(await findFaults(none)).toEqual([])
  await pool.query(`update setup set backup_target = 's3://bucket/site'`)
  expect(await findFaults(none)).toEqual([expect.stringMatching(/^problem Backups: BACKUP_S3_ENDPOINT and the three/)])
  await pool.query('delete from setup')
  await pool.end()
})

test('backups that failed, are late or cannot be written are found', async () => {
  const pool = openPool(cluster.connection)
  await pool.query(`insert into backups (name, started_at, verified_at) values ('a', '2026-01-01', '2026-01-01')`)
  const last = 'The last verified backup is from 2026-01-01T00:00:00.000Z.'
  expect(await findFaults()).toEqual([`problem Backups: ${last} Look for "backup failed" in the log.`])
  await pool.query(`insert into backups (name, error) values ('b', 'There is no room.')`)
  expect(await findFaults()).toEqual([`problem Backups: ${last} The last one failed: There is no room.`])
  await pool.query('delete from backups')
  await pool.end()
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  expect(await findFaults({ BACKUP_TARGET: path.join(file, 'x') })).toEqual([
    `problem Backups: BACKUP_TARGET (${file}/x) cannot be written. Set it to a folder that the site may write.`,
  ])
})

test('a server that is no replica is found', async () => {
  expect(await findFaults({ DATABASE_REPLICA_URLS: databaseUrl() })).toEqual([
    'problem Replica: This server is no replica. Remove its URL from DATABASE_REPLICA_URLS.',
  ])
})

test('a database that could lose data is found', async () => {
  const pool = openPool(cluster.connection)
  await pool.query('alter system set fsync = off')
  await pool.query('select pg_reload_conf()')
  expect(await findFaults()).toEqual([
    'problem Database: The database runs with fsync=off and could lose data; set fsync to on.',
  ])
  await pool.query('alter system reset fsync')
  await pool.query('select pg_reload_conf()')
  await pool.end()
})

test('a rejected application and a wrong clock are found', async () => {
  answers.discord = 401
  expect(await findFaults()).toEqual([
    'problem Discord: Discord rejects the application. Check DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET.',
  ])
  answers.discord = 200
  answers.date = 90_000
  expect(await findFaults()).toEqual([
    expect.stringMatching(
      /^problem Discord: The clock of Discord is (89|90|91) s ahead of the clock of this machine\./,
    ),
  ])
  answers.date = 0
})

test('another server at the public URL is found', async () => {
  answers.health = '<h1>Welcome</h1>'
  expect(await findFaults()).toEqual([`problem Public URL: ${origin} is answered by another server. Check the proxy.`])
})

test('a site that was never started needs nothing but its disk', async () => {
  const findings = await examine({ DATA_DIR: path.join(folder, 'new', 'data'), PUBLIC_URL: 'http://127.0.0.1:1' })
  expect(findings.map(({ subject, state }) => `${subject} ${state === 'warning' ? '?' : state}`)).toEqual([
    'Settings ok',
    'Data folder skipped',
    expect.stringMatching(/^Disk (ok|\?)$/),
    'Database skipped',
    'Images skipped',
    'Backups skipped',
    'Discord skipped',
    'Email skipped',
    'Traces skipped',
    'Public URL ?',
  ])
})
