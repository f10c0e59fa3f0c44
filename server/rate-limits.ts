// The limits are generous because a school or a carrier may share one address.
import type { FastifyRequest } from 'fastify'
import type { RateLimit } from '#server/http/rate-limits.ts'

type Kind =
  | 'read'
  | 'write'
  | 'comment'
  | 'portal'
  | 'upload'
  | 'drawing'
  | 'export'
  | 'check'
  | 'webhook'
  | 'exchange'
  | 'push'
  | 'sync'
  | 'sign_in'

export const PER_ADDRESS: Record<Kind, RateLimit> = {
  read: { calls: 1200, seconds: 20, counted: 'memory' },
  write: { calls: 600, seconds: 60, counted: 'database' },
  comment: { calls: 60, seconds: 60, counted: 'database' },
  portal: { calls: 1200, seconds: 60, counted: 'database' },
  upload: { calls: 300, seconds: 600, counted: 'database' },
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

export const PER_MEMBER: Partial<Record<Kind, RateLimit>> = {
  write: { calls: 120, seconds: 60, counted: 'database' },
  comment: { calls: 10, seconds: 60, counted: 'database' },
  portal: { calls: 600, seconds: 60, counted: 'database' },
  upload: { calls: 60, seconds: 600, counted: 'database' },
  export: { calls: 10, seconds: 600, counted: 'database' },
  check: { calls: 40, seconds: 60, counted: 'database' },
  webhook: { calls: 10, seconds: 60, counted: 'database' },
  exchange: { calls: 60, seconds: 600, counted: 'database' },
  push: { calls: 120, seconds: 60, counted: 'database' },
  sync: { calls: 10, seconds: 60, counted: 'database' },
}

export const PER_TOKEN: Partial<Record<Kind, RateLimit>> = {
  read: { calls: 600, seconds: 60, counted: 'memory' },
  write: { calls: 60, seconds: 60, counted: 'database' },
  upload: { calls: 30, seconds: 600, counted: 'database' },
  export: { calls: 5, seconds: 600, counted: 'database' },
  check: { calls: 20, seconds: 60, counted: 'database' },
}

const NAMES: Record<Kind, string> = {
  read: 'Reading',
  write: 'Writing',
  comment: 'Commenting',
  portal: 'Portal actions',
  upload: 'Publishing scripts and uploading images',
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
    const limit = limits[name as Kind]
    return limit ? [{ kind, calls: limit.calls, seconds: limit.seconds, per }] : []
  }),
)

interface Rule {
  /** Path of the operation, or else of the matched route, however the client writes its URL. */
  route: RegExp
  methods?: readonly string[]
  kind: Kind | null
}

const READS = ['GET', 'HEAD', 'OPTIONS']

/** The first rule that matches the request's route decides; a request without a rule is a write. */
const RULES: readonly Rule[] = [
  // Immutable files and health checks.
  { route: /^\/(assets|media)\/|^\/(healthz|readyz)$/, kind: null },
  { route: /^\/api\/discord-(auth|callback)\b/, kind: 'sign_in' },
  { route: /^\/api\/setup\b/, methods: ['POST'], kind: 'sign_in' },
  // An export reads everything that a member has.
  { route: /^\/api\/(account-data|favorites-export)\b/, kind: 'export' },
  // Drawing an image takes a tenth of a second.
  { route: /^\/social\//, kind: 'drawing' },
  { route: /^/, methods: READS, kind: 'read' },
  // Stores nothing.
  { route: /^\/api\/page-errors\b/, kind: 'read' },
  // An admin's action on many scripts is one call per script.
  { route: /^\/api\/admin-/, kind: 'portal' },
  { route: /^\/api\/script-comments\b/, methods: ['POST'], kind: 'comment' },
  // Each check analyzes up to 1 MiB of code.
  { route: /^\/api\/script-check\b/, methods: ['POST'], kind: 'check' },
  // Each call sends a request to another server.
  { route: /^\/api\/(site-)?webhook-deliveries\b/, methods: ['POST'], kind: 'webhook' },
  { route: /^\/api\/oidc-token\b/, kind: 'exchange' },
  { route: /^\/api\/repository-hooks\b/, kind: 'push' },
  // Each call sends requests to another server.
  { route: /^\/api\/repository-sync\b/, kind: 'sync' },
  { route: /^\/api\/(scripts|media)\b/, methods: ['POST'], kind: 'upload' },
  { route: /^\/api\/script-versions\b/, methods: ['PUT'], kind: 'upload' },
]

export function kindOf({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>): Kind | undefined {
  const url = routeOptions.config.operation?.name.split(' ')[1] ?? routeOptions.url ?? ''
  const rule = RULES.find(({ route, methods }) => route.test(url) && (methods?.includes(method) ?? true))
  return rule ? (rule.kind ?? undefined) : 'write'
}
