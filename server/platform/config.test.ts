import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { defaultDataDir } from '#server/platform/config/data-dir.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { findMisspelledSettings, readConfig, SETTINGS } from './config.ts'
import { addKeyToFile, createKeyFile } from './config/secret-keys.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-config-'))
const key = 'ab'.repeat(32)
const read = (env: Record<string, string> = {}) => readConfig({ SECRET_KEY: key, DATA_DIR: folder, ...env })
afterAll(() => rmSync(folder, { recursive: true }))

const example = readFileSync(path.join(import.meta.dirname, '../../.env.example'), 'utf8')

test('.env.example lists every setting and no other', () => {
  expect(Object.keys(parseEnv(example)).toSorted()).toEqual([...SETTINGS].toSorted())
})

test('.env.example gives each setting its default', () => {
  const own = { SECRET_KEY: key }
  expect(readConfig({ ...parseEnv(example), ...own })).toEqual(readConfig(own))
})

test('an empty environment gives a local site with demo data', () => {
  expect(read()).toMatchObject({
    appEnv: 'local',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: folder,
    siteName: 'Scriptyard',
    demoData: true,
    rateLimit: true,
    discord: { apiUrl: 'https://discord.com/api', cdnUrl: 'https://cdn.discordapp.com' },
  })
})

describe('the .env file', () => {
  const write = (bytes: Buffer) => {
    const file = path.join(folder, '.env')
    writeFileSync(file, bytes)
    return file
  }

  test('may begin with a byte order mark', () => {
    const file = write(Buffer.from('\uFEFFDEMO_DATA=off\nSITE_NAME=Yard\n'))
    expect(readEnvironment(file)).toMatchObject({ DEMO_DATA: 'off', SITE_NAME: 'Yard' })
  })

  test.each([
    ['UTF-16', Buffer.from('\uFEFFDEMO_DATA=off\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('DEMO_DATA=off\n', 'utf16le')],
    ['Latin-1', Buffer.from('SITE_NAME=Caf\u00e9\n', 'latin1')],
  ])('is rejected in %s', (_encoding, bytes) => {
    expect(() => readEnvironment(write(bytes))).toThrow('.env is not in UTF-8')
  })
})

test.each([
  ['PUBLC_URL', 'PUBLIC_URL'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
  ['PUBILC_URL', 'PUBLIC_URL'],
  ['DEMO-DATA', 'DEMO_DATA'],
  ['demo_data', 'DEMO_DATA'],
  ['DISCORD_CLIENT_IT', 'DISCORD_CLIENT_ID'],
])('%s is pointed out as a misspelled %s', (name, setting) => {
  expect(findMisspelledSettings({ [name]: 'x' })).toEqual([`${name} is not a setting. Did you mean ${setting}?`])
})

test.each(['HOME', 'HOSTS', 'NODE_ENV', 'PATH', 'PORTS', 'PUBLIC_URL', 'SOMETHING_ELSE'])(
  '%s is no misspelled setting',
  (name) => {
    expect(findMisspelledSettings({ [name]: 'x' })).toEqual([])
  },
)

test('folders have their modes under any umask', () => {
  const module = path.join(import.meta.dirname, 'config/data-dir.ts')
  const program = `process.umask(0o077); (await import(process.argv[1])).makeFolder(process.argv[2], 0o711)`
  execFileSync(process.execPath, ['--input-type=module', '-e', program, module, path.join(folder, 'a/b/data')])
  const modes = ['a', 'a/b', 'a/b/data'].map((name) => statSync(path.join(folder, name)).mode & 0o777)
  expect(modes).toEqual([0o755, 0o755, 0o711])
})

test('an empty value counts as absent', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', DEMO_DATA: '' })).toEqual(read())
})

test('data lies in the working directory, unless root starts where others may not enter and has no data there', () => {
  const open = path.join(folder, 'open')
  const home = path.join(folder, 'home')
  for (const one of [folder, open, home]) mkdirSync(one, { recursive: true })
  chmodSync(folder, 0o755)
  chmodSync(home, 0o700)
  const below = path.join(home, 'site')
  mkdirSync(below)
  expect(defaultDataDir(open, true)).toBe(path.join(open, '.data'))
  expect(defaultDataDir(below, false)).toBe(path.join(below, '.data'))
  expect(defaultDataDir(below, true)).toBe('/var/lib/scriptyard/data')
  mkdirSync(path.join(below, '.data/postgres'), { recursive: true })
  expect(defaultDataDir(below, true)).toBe(path.join(below, '.data'))
})

test('production has no demo data by default', () => {
  const production = { APP_ENV: 'production', PUBLIC_URL: 'https://scripts.example' }
  expect(read(production).demoData).toBe(false)
  expect(read({ ...production, DEMO_DATA: 'on' }).demoData).toBe(true)
})

test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'https://scripts.example'])(
  'production accepts %s',
  (PUBLIC_URL) => {
    expect(read({ APP_ENV: 'production', PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
  },
)

test('one process serves by default', () => {
  expect(read().workers).toBe(1)
  expect(read({ WORKERS: '64' }).workers).toBe(64)
  expect(read({ WORKERS: 'auto' }).workers).toBe(Math.min(64, availableParallelism()))
})

test('lists are read item by item', () => {
  const config = read({ ADMIN_DISCORD_IDS: ' 123456789012345678, 2,', TRUST_PROXY: 'loopback, 10.0.0.0/8,::1' })
  expect(config.adminDiscordIds).toEqual(['123456789012345678', '2'])
  expect(config.trustProxy).toEqual(['loopback', '10.0.0.0/8', '::1'])
})

test.each([
  ['security@scripts.example', 'mailto:security@scripts.example'],
  ['mailto:security@scripts.example', 'mailto:security@scripts.example'],
  ['https://scripts.example/security', 'https://scripts.example/security'],
  ['tel:+1-201-555-0123', 'tel:+1-201-555-0123'],
  ['', undefined],
])('the security contact %j is %j', (SECURITY_CONTACT, expected) => {
  expect(read({ SECURITY_CONTACT }).securityContact).toBe(expected)
})

const SMTP = { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'mail@scripts.example' }

test('email is off by default, and its sender has a name only if the setting has one', () => {
  expect(read()).not.toHaveProperty('email')
  expect(read(SMTP).email).toEqual({
    smtpUrl: 'smtp://mail.example.com',
    from: { name: '', address: 'mail@scripts.example' },
    bounceAddress: 'mail@scripts.example',
  })
  const more = {
    SMTP_URL: 'smtps://me:p%40ss@mail.example.com:465',
    SMTP_FROM: 'Zoë’s Yard <mail@scripts.example>',
    SMTP_BOUNCE_ADDRESS: 'Bounces@Scripts.example',
    SMTP_BOUNCE_SECRET: 'x'.repeat(16),
  }
  expect(read(more).email).toEqual({
    smtpUrl: 'smtps://me:p%40ss@mail.example.com:465',
    from: { name: 'Zoë’s Yard', address: 'mail@scripts.example' },
    bounceAddress: 'Bounces@scripts.example',
    bounceSecret: 'x'.repeat(16),
  })
})

const BACKUP_S3 = {
  BACKUP_S3_ENDPOINT: 'https://s3.example.com',
  BACKUP_S3_REGION: 'auto',
  BACKUP_S3_ACCESS_KEY_ID: 'id',
  BACKUP_S3_SECRET_ACCESS_KEY: 'hidden',
}

test('backups and the WAL archive are in a folder or a bucket', () => {
  expect(read()).not.toHaveProperty('walArchive')
  expect(read({ BACKUP_TARGET: '/backups' }).backup).toEqual({ target: '/backups', everyHours: 24, keep: 7 })
  const { backup, walArchive } = read({
    BACKUP_TARGET: 's3://bucket/site/daily/',
    WAL_ARCHIVE: 's3://bucket/wal',
    WAL_ARCHIVE_DAYS: '30',
    ...BACKUP_S3,
  })
  const access = { endpoint: 'https://s3.example.com', region: 'auto', accessKeyId: 'id', secretAccessKey: 'hidden' }
  expect(backup?.target).toEqual({ ...access, bucket: 'bucket', prefix: 'site/daily' })
  expect(walArchive).toEqual({ location: { ...access, bucket: 'bucket', prefix: 'wal' }, retainedDays: 30 })
})

describe('a bad value is rejected in a sentence that names the setting', () => {
  test.each([
    ['APP_ENV', { APP_ENV: 'staging' }],
    ['PORT', { PORT: 'eighty' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'scripts.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://scripts.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://scripts.example/below' }],
    ['PUBLIC_URL', { APP_ENV: 'production' }],
    ['PUBLIC_URL', { APP_ENV: 'production', PUBLIC_URL: 'http://scripts.example' }],
    ['PUBLIC_URL', { APP_ENV: 'production', PUBLIC_URL: 'http://127.0.0.1.example' }],
    ['WORKERS', { WORKERS: '0' }],
    ['WORKERS', { WORKERS: '65' }],
    ['WORKERS', { WORKERS: '1.5' }],
    ['WORKERS', { WORKERS: 'all' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:hidden@db/x' }],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'http://root:hidden@db/x' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://db/x' }],
    ['DATABASE_REPLICA_URLS', { DATABASE_URL: 'postgres://db/x', DATABASE_REPLICA_URLS: 'postgres://a/x, hidden' }],
    ['DATABASE_REPLICA_URLS', { DATABASE_REPLICA_URLS: 'postgres://a/x' }],
    ['SECRET_KEY', { SECRET_KEY: 'short' }],
    ['SECRET_KEYS_RETIRED', { SECRET_KEYS_RETIRED: `${'ab'.repeat(32)},short` }],
    ['DISCORD_CLIENT_SECRET', { DISCORD_CLIENT_ID: '1' }],
    ['DISCORD_CLIENT_ID', { DISCORD_CLIENT_SECRET: 'x' }],
    [
      'DISCORD_API_URL',
      { APP_ENV: 'production', PUBLIC_URL: 'https://a.example', DISCORD_API_URL: 'http://b.example' },
    ],
    ['DISCORD_INVITE_URL', { DISCORD_INVITE_URL: 'javascript:alert(1)' }],
    ['ADMIN_DISCORD_IDS', { ADMIN_DISCORD_IDS: '1,ada' }],
    ['SITE_NAME', { SITE_NAME: 'x'.repeat(61) }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'ask us' }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'http://scripts.example' }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'mailto:a@b.example\nExpires: never' }],
    ['SMTP_URL', { SMTP_URL: 'http://mail.example.com', SMTP_FROM: 'a@b.example' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example.com:587', SMTP_FROM: 'a@b.example' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://', SMTP_FROM: 'a@b.example' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://mail.example.com:99999', SMTP_FROM: 'a@b.example' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://mail.example.com/inbox', SMTP_FROM: 'a@b.example' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://me:%zz@mail.example.com', SMTP_FROM: 'a@b.example' }],
    ['SMTP_FROM', { SMTP_URL: 'smtp://mail.example.com' }],
    ['SMTP_FROM', { SMTP_FROM: 'a@b.example' }],
    ['SMTP_FROM', { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'Yard' }],
    ['SMTP_FROM', { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'a@b.example\nBcc: c@d.example' }],
    ['SMTP_FROM', { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'Y\nard <a@b.example>' }],
    ['SMTP_BOUNCE_ADDRESS', { ...SMTP, SMTP_BOUNCE_ADDRESS: 'bounces' }],
    ['SMTP_BOUNCE_SECRET', { ...SMTP, SMTP_BOUNCE_SECRET: 'short' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '*' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['DEMO_DATA', { DEMO_DATA: 'yes' }],
    ['RATE_LIMIT', { RATE_LIMIT: 'false' }],
    ['CATALOGUE_INDEX', { CATALOGUE_INDEX: 'disk' }],
    ['LIST_CACHE_MB', { LIST_CACHE_MB: '-1' }],
    ['LIST_CACHE_MB', { LIST_CACHE_MB: '64k' }],
    ['LIST_CACHE_MB', { LIST_CACHE_MB: '65537' }],
    ['BACKUP_TARGET', { BACKUP_TARGET: 's3://bucket/prefix' }],
    ['BACKUP_TARGET', { BACKUP_TARGET: 's3://bucket', ...BACKUP_S3 }],
    ['BACKUP_TARGET', { BACKUP_TARGET: 's3://bucket/../x y', ...BACKUP_S3 }],
    ['BACKUP_S3_REGION', { BACKUP_S3_ENDPOINT: 'https://s3.example.com' }],
    ['BACKUP_S3_ENDPOINT', { ...BACKUP_S3, BACKUP_S3_ENDPOINT: 'https://hidden@s3.example.com' }],
    ['WAL_ARCHIVE', { WAL_ARCHIVE: 's3://bucket/prefix' }],
    ['WAL_ARCHIVE', { WAL_ARCHIVE: '/archive', DATABASE_URL: 'postgres://db/x' }],
    ['WAL_ARCHIVE_DAYS', { WAL_ARCHIVE_DAYS: '0' }],
  ])('%s in %o', (setting, env) => {
    expect(() => read(env)).toThrow(new RegExp(`^${setting} [^\\n]+\\.$`))
    expect(() => read(env)).toThrow(expect.objectContaining({ setting }))
  })

  test('a password is not repeated', () => {
    expect(() => read({ DATABASE_URL: 'mysql://root:hidden@db/x' })).not.toThrow(/hidden/)
    expect(() => read({ SMTP_URL: 'http://root:hidden@mail.example.com' })).not.toThrow(/hidden/)
  })
})

describe('the secret key', () => {
  const withoutKey = (DATA_DIR: string) => readConfig({ DATA_DIR })
  const create = (DATA_DIR: string) => createKeyFile(DATA_DIR, [withoutKey(DATA_DIR).secretKey])

  test('is generated, and not stored before the database proves to have none', () => {
    const dataDir = path.join(folder, 'never')
    expect(withoutKey(dataDir)).toMatchObject({ isNewSecretKey: true, retiredSecretKeys: [] })
    expect(withoutKey(dataDir).secretKey).toHaveLength(32)
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('is the first line of its file, with retired keys below and in their setting', () => {
    const dataDir = path.join(folder, 'made')
    create(dataDir)
    const former = withoutKey(dataDir).secretKey
    const secretKey = addKeyToFile(dataDir)
    expect(statSync(path.join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
    const { retiredSecretKeys, ...config } = readConfig({ DATA_DIR: dataDir, SECRET_KEYS_RETIRED: ` ${key},${key} ` })
    expect(config).toMatchObject({ secretKey, isNewSecretKey: false })
    expect(retiredSecretKeys).toEqual([former, Buffer.from(key, 'hex'), Buffer.from(key, 'hex')])
  })

  test('can be hex or base64', () => {
    expect(read({ SECRET_KEY: Buffer.from(key, 'hex').toString('base64') }).secretKey).toEqual(read().secretKey)
  })

  test.each(['file', 'file/below'])('names DATA_DIR if that is %s', (subpath) => {
    writeFileSync(path.join(folder, 'file'), '')
    expect(() => create(path.join(folder, subpath))).toThrow(/^DATA_DIR .* is a file, or lies below one/)
  })

  test.runIf(process.platform === 'linux')('names DATA_DIR if no folder can be created', () => {
    expect(() => create('/proc/nowhere/data')).toThrow(/^DATA_DIR .* cannot be created/)
  })

  test('is not replaced if its file is damaged', () => {
    const dataDir = path.join(folder, 'damaged')
    create(dataDir)
    writeFileSync(path.join(dataDir, 'secret-key'), 'half')
    expect(() => withoutKey(dataDir)).toThrow(/^SECRET_KEY in the file/)
  })
})

const mediaS3 = {
  MEDIA_S3_ENDPOINT: 'https://s3.example.com/',
  MEDIA_S3_BUCKET: 'images',
  MEDIA_S3_REGION: 'eu-central-1',
  MEDIA_S3_ACCESS_KEY_ID: 'AKID',
  MEDIA_S3_SECRET_ACCESS_KEY: 'hidden/+key=',
}

const readS3 = (env: Record<string, string>) => read(env).mediaS3

describe('S3 storage', () => {
  test('is off by default', () => {
    expect(readS3({})).toBeUndefined()
    expect(readS3(Object.fromEntries(Object.keys(mediaS3).map((name) => [name, ' '])))).toBeUndefined()
  })

  test('is read from five settings', () => {
    expect(readS3(mediaS3)).toEqual({
      endpoint: 'https://s3.example.com',
      bucket: 'images',
      region: 'eu-central-1',
      accessKeyId: 'AKID',
      secretAccessKey: 'hidden/+key=',
    })
  })

  test.each(Object.keys(mediaS3))('requires %s if the others are set', (name) => {
    expect(() => readS3({ ...mediaS3, [name]: '' })).toThrow(expect.objectContaining({ setting: name }))
    expect(() => readS3({ ...mediaS3, [name]: '' })).toThrow(/^MEDIA_S3_\w+ must be set together with MEDIA_S3_\w+\.$/)
  })

  test.each([
    ['MEDIA_S3_ENDPOINT', 's3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'ftp://s3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'https://user:hidden@s3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'https://s3.example.com/?hidden=1'],
    ['MEDIA_S3_BUCKET', 'Images'],
    ['MEDIA_S3_BUCKET', '../images'],
    ['MEDIA_S3_REGION', 'eu central'],
    ['MEDIA_S3_ACCESS_KEY_ID', 'hidden key'],
    ['MEDIA_S3_SECRET_ACCESS_KEY', 'hidden key'],
  ])('rejects %s=%s in a sentence that repeats no secret', (name, value) => {
    const readInvalid = () => readS3({ ...mediaS3, [name]: value })
    expect(readInvalid).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
    expect(readInvalid).not.toThrow(/hidden/)
  })
})
