import path from 'node:path'
import { type Environment, readText, readUrl, SettingError, UserFacingError } from './values.ts'

export interface S3Access {
  /** Without the bucket and without a trailing slash. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Config extends S3Access {
  bucket: string
}

/** Where backups are stored: a folder (absolute path), or the objects of a bucket below a prefix. */
export type StorageLocation = string | (S3Config & { prefix: string })

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const S3_URL = /^s3:\/\/([^/]+)\/((?:[\w.-]+\/)*[\w.-]+)\/?$/
/** Part of a prefix that would lead out of it in a URL. */
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/

/** All five settings or none. Throws SettingError for the first that is missing or wrong, without repeating keys. */
export function readMediaS3(env: Environment): S3Config | undefined {
  const access = readAccess(env, 'MEDIA_S3', ['MEDIA_S3_BUCKET'])
  return access && { ...access, bucket: readPattern(env, 'MEDIA_S3_BUCKET', BUCKET, 'a bucket name') }
}

/** All four settings or none. Throws SettingError. */
export const readBackupS3 = (env: Environment): S3Access | undefined => readAccess(env, 'BACKUP_S3')

const ACCESS_SETTINGS = ['ENDPOINT', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const

function readAccess(env: Environment, group: string, more: string[] = []): S3Access | undefined {
  const names = [...ACCESS_SETTINGS.map((name) => `${group}_${name}`), ...more]
  const set = names.filter((name) => readText(env, name) !== undefined)
  const missing = names.find((name) => !set.includes(name))
  if (set.length === 0) return undefined
  if (missing) throw new SettingError(missing, `must be set together with ${set[0]}.`)
  return {
    endpoint: readEndpoint(env, `${group}_ENDPOINT`),
    region: readPattern(env, `${group}_REGION`, /^[a-z0-9-]{1,40}$/i, 'a region such as eu-central-1 or auto'),
    accessKeyId: readPattern(env, `${group}_ACCESS_KEY_ID`, /^[\w.+-]{1,200}$/, 'an access key id'),
    secretAccessKey: readPattern(
      env,
      `${group}_SECRET_ACCESS_KEY`,
      /^[\x21-\x7e]{1,200}$/,
      'a secret access key without spaces',
    ),
  }
}

function readEndpoint(env: Environment, name: string): string {
  const endpoint = readUrl(env, name, ['https:', 'http:']) ?? ''
  const { username, password, search, hash } = new URL(endpoint)
  if (username || password || search || hash) {
    throw new SettingError(name, 'must be a plain URL, such as https://s3.example.com.')
  }
  return endpoint
}

function readPattern(env: Environment, name: string, pattern: RegExp, description: string): string {
  const value = readText(env, name) ?? ''
  if (!pattern.test(value)) throw new SettingError(name, `has the wrong format; set it to ${description}.`)
  return value
}

export const isBucketUrl = (text: string): boolean => /^s3:/i.test(text)

/** Reads a folder or `s3://bucket/prefix`. Throws UserFacingError. */
export function parseLocation(text: string, access: S3Access | undefined): StorageLocation {
  if (!isBucketUrl(text)) return path.resolve(text)
  const [, bucket = '', prefix = ''] = S3_URL.exec(text) ?? []
  if (!BUCKET.test(bucket) || DOTS.test(prefix)) {
    throw new UserFacingError(`${text} has the wrong form. Use s3://bucket/prefix.`)
  }
  if (!access) {
    throw new UserFacingError(`${text} needs BACKUP_S3_ENDPOINT and the three settings after it in .env.example.`)
  }
  return { ...access, bucket, prefix }
}

/** Throws SettingError. */
export function readLocation(env: Environment, name: string): StorageLocation | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  try {
    return parseLocation(text, readBackupS3(env))
  } catch (error) {
    throw error instanceof UserFacingError && !(error instanceof SettingError)
      ? new SettingError(name, `is wrong: ${error.message}`)
      : error
  }
}

/** The folder or the URL, without keys. */
export const describeLocation = (location: StorageLocation): string =>
  typeof location === 'string' ? location : `s3://${location.bucket}/${location.prefix}`

export function locationIn(location: StorageLocation, name: string): StorageLocation {
  if (typeof location === 'string') return path.join(location, name)
  return { ...location, prefix: `${location.prefix}/${name}` }
}
