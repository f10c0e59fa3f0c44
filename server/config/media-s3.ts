import type { Environment } from './environment.ts'
import { SettingError } from './setting-error.ts'
import { readUrl, readText } from './values.ts'

export interface MediaS3Config {
  /** Without the bucket and without a slash at its end. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const SETTINGS = [
  'MEDIA_S3_ENDPOINT',
  'MEDIA_S3_BUCKET',
  'MEDIA_S3_REGION',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
] as const

/** All five or none. Throws SettingError for the first that is missing or wrong; keys are never repeated. */
export function readMediaS3(env: Environment): MediaS3Config | undefined {
  const given = SETTINGS.filter((name) => readText(env, name) !== undefined)
  const missing = SETTINGS.find((name) => !given.includes(name))
  if (given.length === 0) return undefined
  if (missing) throw new SettingError(missing, `has to be set with ${given[0]}.`)
  return {
    endpoint: readEndpoint(env),
    bucket: readPattern(env, 'MEDIA_S3_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
    region: readPattern(env, 'MEDIA_S3_REGION', /^[a-z0-9-]{1,40}$/i, 'a region such as eu-central-1 or auto'),
    accessKeyId: readPattern(env, 'MEDIA_S3_ACCESS_KEY_ID', /^[\w.+-]{1,200}$/, 'the id of an access key'),
    secretAccessKey: readPattern(env, 'MEDIA_S3_SECRET_ACCESS_KEY', /^[\x21-\x7e]{1,200}$/, 'the key without spaces'),
  }
}

function readEndpoint(env: Environment): string {
  const name = 'MEDIA_S3_ENDPOINT'
  const endpoint = readUrl(env, name, ['https:', 'http:']) ?? ''
  const { username, password, search, hash } = new URL(endpoint)
  if (username || password || search || hash) {
    throw new SettingError(name, 'holds more than an address; set it to one such as https://s3.example.com.')
  }
  return endpoint
}

function readPattern(env: Environment, name: string, pattern: RegExp, what: string): string {
  const value = readText(env, name) ?? ''
  if (!pattern.test(value)) throw new SettingError(name, `has the wrong form; set it to ${what}.`)
  return value
}
