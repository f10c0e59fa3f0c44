// Scripts whose code is in a repository: builds that publish it, and pushes that update it.
import type { FastifyRequest } from 'fastify'
import { createSeal } from '#server/platform/db/seal.ts'
import type { Config } from '#server/platform/config.ts'
import { registerRepositorySync } from '#server/features/repository-sync/routes.ts'
import { syncScript } from '#server/features/repository-sync/sync.ts'
import type { WritingOptions } from '#server/features/scripts/read.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import type { IdTokenVerifier } from '#server/features/trusted-publishing/id-token.ts'
import { registerTrustedPublishing } from '#server/features/trusted-publishing/routes.ts'
import { PublicClient } from '#server/platform/http/public-client.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'

const TIMEOUT_MS = 10_000

/** Counts a call of a member. Throws AppError `too_many_requests`. */
export type CountMember = (memberId: number, request: FastifyRequest) => Promise<void>

interface RepositoriesOptions extends WritingOptions {
  config: Pick<Config, 'appEnv' | 'forges' | 'publicUrl' | 'secretKey' | 'retiredSecretKeys'>
  jobs: JobQueue
  securityLog: SecurityLog
  /** Undefined if rate limits are off. */
  countMember: CountMember | undefined
}

export interface RepositoryJobs {
  syncScript: (scriptId: number) => Promise<void>
}

export function registerRepositories(app: App, options: RepositoriesOptions): RepositoryJobs {
  const { appEnv, forges, publicUrl, secretKey, retiredSecretKeys } = options.config
  const client = new PublicClient({
    userAgent: `Scriptyard/1.0 (+${publicUrl})`,
    allowsLoopback: appEnv === 'local',
    timeoutMs: TIMEOUT_MS,
  })
  app.addHook('onClose', () => client.close())
  let loading: Promise<IdTokenVerifier> | undefined
  const verifyIdToken = async (token: string) => {
    // Its library is loaded for the first token.
    loading ??= import('#server/features/trusted-publishing/id-token.ts').then(
      ({ IdTokenVerifier: Verifier }) => new Verifier({ forges, audience: publicUrl, client }),
    )
    return (await loading).verify(token)
  }
  registerTrustedPublishing(app, { ...options, forges, audience: publicUrl, verifyIdToken })
  const seal = createSeal(secretKey, 'repository webhooks', retiredSecretKeys)
  registerRepositorySync(app, { ...options, forges, publicUrl, seal })
  return { syncScript: (scriptId) => syncScript({ ...options, forges, client }, scriptId) }
}
