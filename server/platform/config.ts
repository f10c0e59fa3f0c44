import { DEFAULT_HOLD_HOURS, MAX_HOLD_HOURS } from '#contract/version-states.ts'
import path from 'node:path'
import { defaultDataDir } from '#server/platform/config/data-dir.ts'
import { type EmailConfig, EMAIL_SETTINGS, readEmail } from '#server/platform/config/email.ts'
import { type Forge, readForges } from '#server/platform/config/forges.ts'
import { readSecretKeys, type SecretKeys } from '#server/platform/config/secret-keys.ts'
import { readTracing, TRACING_SETTINGS, type TracingConfig } from '#server/platform/config/tracing.ts'
import {
  readBackupS3,
  readLocation,
  readMediaS3,
  type S3Access,
  type S3Config,
  type StorageLocation,
} from '#server/platform/config/storage.ts'
import {
  type Environment,
  readBoolean,
  readChoice,
  readDiscordIds,
  readInteger,
  readProcessCount,
  readProxies,
  readText,
  readUrl,
  readUrls,
  SettingError,
} from '#server/platform/config/values.ts'

export interface Config extends SecretKeys {
  appEnv: 'local' | 'production'
  port: number
  host: string
  workers: number
  /** Origin under which visitors reach the site, without a trailing slash. */
  publicUrl: string
  databaseUrl?: string
  /** The server itself if `databaseUrl` is a connection pooler. */
  databaseDirectUrl?: string
  databaseReplicaUrls: string[]
  dataDir: string
  /** By default images are files in `dataDir`. */
  mediaS3?: S3Config
  discord: DiscordConfig
  adminDiscordIds: string[]
  forges: Forge[]
  /** Name of the site unless an admin chose another. */
  siteName: string
  /** Where to report vulnerabilities: a mailto:, https: or tel: URL. */
  securityContact?: string
  email?: EmailConfig
  trustProxy: string[]
  demoData: boolean
  rateLimit: boolean
  /** Bytes of code and images that a member may store per UTC day. */
  uploadBytesPerDay: number
  /** Answers list queries: the index in memory, or SQL. */
  catalogueIndex: 'memory' | 'database'
  /** Cache size for list responses, per process. */
  listCacheBytes: number
  dumpKeepDays: number
  /** How long a version that starts something serious waits after its author has confirmed it. */
  holdHours: number
  backup?: BackupConfig
  /** Schedule of a backup whose target the owner chose in the setup. */
  backupSchedule: Omit<BackupConfig, 'target'>
  walArchive?: WalArchiveConfig
  backupS3?: S3Access
  logLevel: (typeof LOG_LEVELS)[number]
  metrics?: { host: string; port: number }
  tracing?: TracingConfig
  /** Duration from which statements are logged; 0 logs none. */
  slowQueryMs: number
}

export interface BackupConfig {
  target: StorageLocation
  everyHours: number
  keep: number
}

export interface WalArchiveConfig {
  location: StorageLocation
  /** Days of the past that can be restored. */
  retainedDays: number
}

export interface DiscordConfig {
  /** Set together with `clientSecret`. */
  clientId?: string
  clientSecret?: string
  apiUrl: string
  cdnUrl: string
  inviteUrl?: string
}

const MAX_WORKERS = 64
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SETTINGS = [
  'APP_ENV',
  'PORT',
  'HOST',
  'WORKERS',
  'PUBLIC_URL',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'DATA_DIR',
  'MEDIA_S3_ENDPOINT',
  'MEDIA_S3_BUCKET',
  'MEDIA_S3_REGION',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'SECRET_KEYS_RETIRED',
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_API_URL',
  'DISCORD_CDN_URL',
  'DISCORD_INVITE_URL',
  'ADMIN_DISCORD_IDS',
  'GITHUB_SERVERS',
  'GITLAB_SERVERS',
  'SITE_NAME',
  'SECURITY_CONTACT',
  ...EMAIL_SETTINGS,
  'TRUST_PROXY',
  'DEMO_DATA',
  'RATE_LIMIT',
  'UPLOAD_MB_PER_DAY',
  'CATALOGUE_INDEX',
  'LIST_CACHE_MB',
  'DUMP_KEEP',
  'HOLD_HOURS',
  'BACKUP_TARGET',
  'BACKUP_EVERY_HOURS',
  'BACKUP_KEEP',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_REGION',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'WAL_ARCHIVE',
  'WAL_ARCHIVE_DAYS',
  'LOG_LEVEL',
  'METRICS_PORT',
  'METRICS_HOST',
  ...TRACING_SETTINGS,
  'SLOW_QUERY_MS',
] as const

const normalizeName = (name: string) => name.toUpperCase().replaceAll('-', '_')

/** Whether two names differ in one letter that is missing, added or replaced, or in two neighbors that are swapped. */
function isNearName(name: string, setting: string): boolean {
  let from = 0
  while (from < setting.length && name[from] === setting[from]) from++
  const [nameEnd, settingEnd] = [name.slice(from), setting.slice(from)]
  const isSwapped =
    nameEnd.slice(0, 2) === `${settingEnd[1]}${settingEnd[0]}` && nameEnd.slice(2) === settingEnd.slice(2)
  return (
    nameEnd.slice(1) === settingEnd ||
    nameEnd === settingEnd.slice(1) ||
    nameEnd.slice(1) === settingEnd.slice(1) ||
    isSwapped
  )
}

/** Sentences about names that are no settings but probably meant as one. */
export function findMisspelledSettings(env: Environment): string[] {
  const unknown = Object.keys(env).filter((name) => env[name] && !SETTINGS.some((setting) => setting === name))
  return unknown.flatMap((name) => {
    const normalized = normalizeName(name)
    const setting = SETTINGS.find(
      // Of short names, such as HOST, other programs have similar ones.
      (candidate) => normalized === candidate || (candidate.length > 5 && isNearName(normalized, candidate)),
    )
    return setting && !env[setting] ? [`${name} is not a setting. Did you mean ${setting}?`] : []
  })
}

/** Reads and validates all settings. Throws `SettingError` for the first bad one. */
export function readConfig(env: Environment): Config {
  const appEnv = readChoice(env, 'APP_ENV', ['local', 'production'], 'local')
  const port = readPort(env)
  const database = readDatabase(env)
  const mediaS3 = readMediaS3(env)
  const securityContact = readSecurityContact(env)
  const email = readEmail(env)
  const tracing = readTracing(env)
  const dataDir = readDataDir(env)
  return {
    appEnv,
    port,
    host: readHost(env),
    workers: readProcessCount(env, 'WORKERS', MAX_WORKERS),
    publicUrl: readPublicUrl(env, appEnv) ?? `http://localhost:${port}`,
    ...database,
    ...(mediaS3 && { mediaS3 }),
    discord: readDiscord(env, appEnv),
    adminDiscordIds: readDiscordIds(env, 'ADMIN_DISCORD_IDS'),
    forges: readForges(env, appEnv),
    siteName: readSiteName(env),
    ...(securityContact && { securityContact }),
    ...(email && { email }),
    trustProxy: readProxies(env, 'TRUST_PROXY'),
    demoData: readBoolean(env, 'DEMO_DATA', appEnv === 'local'),
    rateLimit: readBoolean(env, 'RATE_LIMIT', true),
    uploadBytesPerDay: readInteger(env, 'UPLOAD_MB_PER_DAY', { min: 5, max: 1_000_000, fallback: 100 }) * 1_000_000,
    catalogueIndex: readChoice(env, 'CATALOGUE_INDEX', ['memory', 'database'], 'memory'),
    listCacheBytes: readInteger(env, 'LIST_CACHE_MB', { min: 0, max: 65_536, fallback: 64 }) * 1024 * 1024,
    dumpKeepDays: readInteger(env, 'DUMP_KEEP', { min: 0, max: 3650, fallback: 0 }),
    holdHours: readInteger(env, 'HOLD_HOURS', { min: 0, max: MAX_HOLD_HOURS, fallback: DEFAULT_HOLD_HOURS }),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    ...readBackup(env),
    ...readWalArchive(env, database.databaseUrl),
    ...readMetrics(env),
    ...(tracing && { tracing }),
    slowQueryMs: readInteger(env, 'SLOW_QUERY_MS', { min: 0, max: 100_000, fallback: 1000 }),
    dataDir,
    ...readSecretKeys({ current: readText(env, 'SECRET_KEY'), retired: readText(env, 'SECRET_KEYS_RETIRED') }, dataDir),
  }
}

export const readPort = (env: Environment): number => readInteger(env, 'PORT', { min: 1, max: 65_535, fallback: 3000 })

export const readHost = (env: Environment): string => readText(env, 'HOST') ?? '127.0.0.1'

function readBackup(env: Environment): Pick<Config, 'backup' | 'backupSchedule' | 'backupS3'> {
  const target = readLocation(env, 'BACKUP_TARGET')
  const everyHours = readInteger(env, 'BACKUP_EVERY_HOURS', { min: 1, max: 8760, fallback: 24 })
  const keep = readInteger(env, 'BACKUP_KEEP', { min: 1, max: 10_000, fallback: 7 })
  const backupSchedule = { everyHours, keep }
  const backupS3 = readBackupS3(env)
  return {
    backupSchedule,
    ...(target && { backup: { target, ...backupSchedule } }),
    ...(backupS3 && { backupS3 }),
  }
}

function readWalArchive(env: Environment, databaseUrl: string | undefined): Pick<Config, 'walArchive'> {
  const location = readLocation(env, 'WAL_ARCHIVE')
  const retainedDays = readInteger(env, 'WAL_ARCHIVE_DAYS', { min: 1, max: 3650, fallback: 7 })
  if (location === undefined) return {}
  if (databaseUrl) {
    throw new SettingError(
      'WAL_ARCHIVE',
      'is for the embedded database only; remove it, and set up pgBackRest for the server of DATABASE_URL (docs/operations.md).',
    )
  }
  return { walArchive: { location, retainedDays } }
}

function readMetrics(env: Environment): Pick<Config, 'metrics'> {
  const port = readInteger(env, 'METRICS_PORT', { min: 0, max: 65_535, fallback: 0 })
  return port === 0 ? {} : { metrics: { host: readText(env, 'METRICS_HOST') ?? '127.0.0.1', port } }
}

export const readDataDir = (env: Environment): string => path.resolve(readText(env, 'DATA_DIR') ?? defaultDataDir())

function readPublicUrl(env: Environment, appEnv: Config['appEnv']): string | undefined {
  const publicUrl = readUrl(env, 'PUBLIC_URL', ['https:', 'http:'])
  const origin = publicUrl && new URL(publicUrl).origin
  if (publicUrl !== undefined && publicUrl !== origin) {
    throw new SettingError('PUBLIC_URL', `is "${publicUrl}"; set it to a URL without a path, such as ${origin}.`)
  }
  if (appEnv === 'production' && (!publicUrl || !isSecure(publicUrl))) {
    throw new SettingError('PUBLIC_URL', 'must be the https URL of the site when APP_ENV is production.')
  }
  return publicUrl
}

function readDiscord(env: Environment, appEnv: Config['appEnv']): DiscordConfig {
  const clientId = readText(env, 'DISCORD_CLIENT_ID')
  const clientSecret = readText(env, 'DISCORD_CLIENT_SECRET')
  const inviteUrl = readUrl(env, 'DISCORD_INVITE_URL', ['https:', 'http:'])
  const apiUrl = readUrl(env, 'DISCORD_API_URL', ['https:', 'http:']) ?? 'https://discord.com/api'
  if (clientId && !clientSecret)
    throw new SettingError('DISCORD_CLIENT_SECRET', 'must be set together with DISCORD_CLIENT_ID.')
  if (clientSecret && !clientId)
    throw new SettingError('DISCORD_CLIENT_ID', 'must be set together with DISCORD_CLIENT_SECRET.')
  if (appEnv === 'production' && !isSecure(apiUrl)) {
    throw new SettingError('DISCORD_API_URL', 'must be an https URL when APP_ENV is production.')
  }
  return {
    ...(clientId && clientSecret && { clientId, clientSecret }),
    apiUrl,
    cdnUrl: readUrl(env, 'DISCORD_CDN_URL', ['https:', 'http:']) ?? 'https://cdn.discordapp.com',
    ...(inviteUrl && { inviteUrl }),
  }
}

function readSiteName(env: Environment): string {
  const name = readText(env, 'SITE_NAME') ?? 'Scriptyard'
  if (name.length > 60 || /\p{Cc}/u.test(name)) {
    throw new SettingError('SITE_NAME', 'must be 1 to 60 characters on one line.')
  }
  return name
}

function readSecurityContact(env: Environment): string | undefined {
  const contact = readText(env, 'SECURITY_CONTACT')
  const isEmail = contact !== undefined && /^[^\s@:]+@[^\s@:]+$/.test(contact)
  const url = isEmail ? `mailto:${contact}` : contact
  if (url !== undefined && !(/^(mailto:\S+@|https:\/\/|tel:\+)[\x21-\x7e]+$/.test(url) && URL.canParse(url))) {
    throw new SettingError('SECURITY_CONTACT', 'must be an email address, or a URL with https:, mailto: or tel:.')
  }
  return url
}

function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

const DATABASE_PROTOCOLS = ['postgres:', 'postgresql:']

// The embedded PostgreSQL has neither a pooler nor replicas.
function readDatabase(env: Environment): Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrls'> {
  const databaseUrl = readUrl(env, 'DATABASE_URL', DATABASE_PROTOCOLS)
  const databaseDirectUrl = readUrl(env, 'DATABASE_DIRECT_URL', DATABASE_PROTOCOLS)
  const databaseReplicaUrls = readUrls(env, 'DATABASE_REPLICA_URLS', DATABASE_PROTOCOLS)
  const withoutUrl = databaseDirectUrl
    ? 'DATABASE_DIRECT_URL'
    : databaseReplicaUrls.length > 0 && 'DATABASE_REPLICA_URLS'
  if (!databaseUrl && withoutUrl) throw new SettingError(withoutUrl, 'needs DATABASE_URL; set that too.')
  return {
    ...(databaseUrl && { databaseUrl }),
    ...(databaseDirectUrl && { databaseDirectUrl }),
    databaseReplicaUrls,
  }
}
