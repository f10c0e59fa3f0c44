import path from 'node:path'
import type { Environment } from '#server/config/environment.ts'
import { type MediaS3Config, readMediaS3 } from '#server/config/media-s3.ts'
import { readSecretKey } from '#server/config/secret-key.ts'
import { readDatabase } from '#server/config/database.ts'
import { SettingError } from '#server/config/setting-error.ts'
import {
  readUrl,
  readChoice,
  readDiscordIds,
  readProcessCount,
  readProxies,
  readBoolean,
  readText,
  readInteger,
} from '#server/config/values.ts'

export type { MediaS3Config } from '#server/config/media-s3.ts'

export interface Config {
  appEnv: 'local' | 'production'
  port: number
  host: string
  /** How many processes serve the site. */
  workers: number
  /** Where visitors reach the site, without a slash at its end. */
  publicUrl: string
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string
  /** The same server itself, where `databaseUrl` is a pooler in front of it. */
  databaseDirectUrl?: string
  /** Streaming replicas of it, for what may be a second old. */
  databaseReplicaUrls: string[]
  dataDir: string
  /** Absent: images are files in `dataDir`. */
  mediaS3?: MediaS3Config
  /** 32 bytes. */
  secretKey: Buffer
  discord: DiscordConfig
  adminDiscordIds: string[]
  siteName: string
  /** Proxies whose forwarded addresses are believed; none when empty. */
  trustProxy: string[]
  demoData: boolean
  rateLimit: boolean
  /** Where lists are found: in an index in memory, or by SQL alone. */
  catalogueIndex: 'memory' | 'database'
  /** What finished lists may take in each process. */
  listCacheBytes: number
  logLevel: (typeof LOG_LEVELS)[number]
}

export interface DiscordConfig {
  /** Both or neither. */
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
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_API_URL',
  'DISCORD_CDN_URL',
  'DISCORD_INVITE_URL',
  'ADMIN_DISCORD_IDS',
  'SITE_NAME',
  'TRUST_PROXY',
  'DEMO_DATA',
  'RATE_LIMIT',
  'CATALOGUE_INDEX',
  'LIST_CACHE_MB',
  'LOG_LEVEL',
] as const

/** Reads and checks every setting once; throws `SettingError` for the first bad one. */
export function readConfig(env: Environment): Config {
  const appEnv = readChoice(env, 'APP_ENV', ['local', 'production'], 'local')
  const port = readInteger(env, 'PORT', { min: 1, most: 65_535, otherwise: 3000 })
  const database = readDatabase(env)
  const mediaS3 = readMediaS3(env)
  const dataDir = path.resolve(readText(env, 'DATA_DIR') ?? '.data')
  return {
    appEnv,
    port,
    host: readText(env, 'HOST') ?? '127.0.0.1',
    workers: readProcessCount(env, 'WORKERS', MAX_WORKERS),
    publicUrl: readPublicUrl(env, appEnv) ?? `http://localhost:${port}`,
    ...database,
    ...(mediaS3 && { mediaS3 }),
    discord: readDiscord(env, appEnv),
    adminDiscordIds: readDiscordIds(env, 'ADMIN_DISCORD_IDS'),
    siteName: readSiteName(env),
    trustProxy: readProxies(env, 'TRUST_PROXY'),
    demoData: readBoolean(env, 'DEMO_DATA', appEnv === 'local'),
    rateLimit: readBoolean(env, 'RATE_LIMIT', true),
    catalogueIndex: readChoice(env, 'CATALOGUE_INDEX', ['memory', 'database'], 'memory'),
    listCacheBytes: readInteger(env, 'LIST_CACHE_MB', { min: 0, most: 65_536, otherwise: 64 }) * 1024 * 1024,
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    dataDir,
    // Last, because it may write a file, which a bad setting must not leave behind.
    secretKey: readSecretKey(readText(env, 'SECRET_KEY'), dataDir),
  }
}

function readPublicUrl(env: Environment, appEnv: Config['appEnv']): string | undefined {
  const publicUrl = readUrl(env, 'PUBLIC_URL', ['https:', 'http:'])
  const origin = publicUrl && new URL(publicUrl).origin
  if (publicUrl !== undefined && publicUrl !== origin) {
    throw new SettingError('PUBLIC_URL', `is "${publicUrl}"; set it to an address without a path, such as ${origin}.`)
  }
  if (appEnv === 'production' && (!publicUrl || !isSafe(publicUrl))) {
    throw new SettingError('PUBLIC_URL', 'has to be set to the https address of the site when APP_ENV is production.')
  }
  return publicUrl
}

function readDiscord(env: Environment, appEnv: Config['appEnv']): DiscordConfig {
  const clientId = readText(env, 'DISCORD_CLIENT_ID')
  const clientSecret = readText(env, 'DISCORD_CLIENT_SECRET')
  const inviteUrl = readUrl(env, 'DISCORD_INVITE_URL', ['https:', 'http:'])
  const apiUrl = readUrl(env, 'DISCORD_API_URL', ['https:', 'http:']) ?? 'https://discord.com/api'
  if (clientId && !clientSecret)
    throw new SettingError('DISCORD_CLIENT_SECRET', 'has to be set with DISCORD_CLIENT_ID.')
  if (clientSecret && !clientId)
    throw new SettingError('DISCORD_CLIENT_ID', 'has to be set with DISCORD_CLIENT_SECRET.')
  if (appEnv === 'production' && !isSafe(apiUrl)) {
    throw new SettingError('DISCORD_API_URL', 'has to be an https address when APP_ENV is production.')
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
    throw new SettingError('SITE_NAME', 'has to be 1 to 60 characters on one line.')
  }
  return name
}

/** https, or http that never leaves the machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
