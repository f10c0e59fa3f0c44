import type { Environment } from './environment.ts'
import { SettingError } from './setting-error.ts'
import { readUrl, readUrls } from './values.ts'

export interface DatabaseSettings {
  databaseUrl?: string
  databaseDirectUrl?: string
  databaseReplicaUrls: string[]
}

const PROTOCOLS = ['postgres:', 'postgresql:']

/** The embedded PostgreSQL has neither a pooler nor replicas. */
export function readDatabase(env: Environment): DatabaseSettings {
  const databaseUrl = readUrl(env, 'DATABASE_URL', PROTOCOLS)
  const databaseDirectUrl = readUrl(env, 'DATABASE_DIRECT_URL', PROTOCOLS)
  const databaseReplicaUrls = readUrls(env, 'DATABASE_REPLICA_URLS', PROTOCOLS)
  const withoutUrl = databaseDirectUrl
    ? 'DATABASE_DIRECT_URL'
    : databaseReplicaUrls.length > 0 && 'DATABASE_REPLICA_URLS'
  if (!databaseUrl && withoutUrl) throw new SettingError(withoutUrl, 'goes with DATABASE_URL; set that too.')
  return {
    ...(databaseUrl && { databaseUrl }),
    ...(databaseDirectUrl && { databaseDirectUrl }),
    databaseReplicaUrls,
  }
}
