// The limits are generous because a school or a carrier may share one address.
import type { FastifyRequest } from 'fastify'
import type { LimitKind } from '#contract/operation.ts'
import type { RateLimit } from '#server/platform/http/rate-limits.ts'

export const PER_ADDRESS: Record<LimitKind, RateLimit> = {
  read: { calls: 1200, seconds: 20, counted: 'memory' },
  write: { calls: 600, seconds: 60, counted: 'database' },
  comment: { calls: 60, seconds: 60, counted: 'database' },
  portal: { calls: 1200, seconds: 60, counted: 'database' },
  upload: { calls: 300, seconds: 600, counted: 'database' },
  draft: { calls: 240, seconds: 60, counted: 'database' },
  drawing: { calls: 120, seconds: 60, counted: 'memory' },
  export: { calls: 60, seconds: 600, counted: 'database' },
  check: { calls: 240, seconds: 60, counted: 'database' },
  webhook: { calls: 60, seconds: 60, counted: 'database' },
  // Builds of many repositories share the addresses of their server.
  exchange: { calls: 120, seconds: 60, counted: 'database' },
  push: { calls: 600, seconds: 60, counted: 'database' },
  sync: { calls: 60, seconds: 60, counted: 'database' },
  sign_in: { calls: 120, seconds: 600, counted: 'database' },
}

export const PER_MEMBER: Partial<Record<LimitKind, RateLimit>> = {
  write: { calls: 120, seconds: 60, counted: 'database' },
  comment: { calls: 10, seconds: 60, counted: 'database' },
  portal: { calls: 600, seconds: 60, counted: 'database' },
  upload: { calls: 60, seconds: 600, counted: 'database' },
  draft: { calls: 30, seconds: 60, counted: 'database' },
  export: { calls: 10, seconds: 600, counted: 'database' },
  check: { calls: 40, seconds: 60, counted: 'database' },
  webhook: { calls: 10, seconds: 60, counted: 'database' },
  exchange: { calls: 60, seconds: 600, counted: 'database' },
  push: { calls: 120, seconds: 60, counted: 'database' },
  sync: { calls: 10, seconds: 60, counted: 'database' },
}

export const PER_TOKEN: Partial<Record<LimitKind, RateLimit>> = {
  read: { calls: 600, seconds: 60, counted: 'memory' },
  write: { calls: 60, seconds: 60, counted: 'database' },
  upload: { calls: 30, seconds: 600, counted: 'database' },
  export: { calls: 5, seconds: 600, counted: 'database' },
  check: { calls: 20, seconds: 60, counted: 'database' },
}

const NAMES: Record<LimitKind, string> = {
  read: 'Reading',
  write: 'Writing',
  comment: 'Commenting',
  portal: 'Portal actions',
  upload: 'Publishing scripts and uploading images',
  draft: 'Storing drafts',
  drawing: 'Images for link previews',
  check: 'Checking the behavior of drafts',
  webhook: 'Sending tests and former events to webhooks',
  exchange: 'Exchanging ID tokens of builds',
  push: 'Receiving pushes of repositories',
  sync: 'Updating scripts from repositories on request',
  export: 'Exporting data',
  sign_in: 'Signing in',
}

export const DESCRIBED_LIMITS = Object.entries(NAMES).flatMap(([name, kind]) =>
  (
    [
      ['network', PER_ADDRESS],
      ['member', PER_MEMBER],
      ['token', PER_TOKEN],
    ] as const
  ).flatMap(([per, limits]) => {
    const limit = limits[name as LimitKind]
    return limit ? [{ kind, calls: limit.calls, seconds: limit.seconds, per }] : []
  }),
)

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function kindOf({
  method,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'routeOptions'>): LimitKind | undefined {
  const { limit = READS.has(method) ? 'read' : 'write' } = routeOptions.config
  return limit === 'none' ? undefined : limit
}
