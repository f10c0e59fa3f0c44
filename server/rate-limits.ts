// How often one address and one member may call. The limits are generous because a school or a carrier may share one
// address.
import type { FastifyRequest } from 'fastify'
import type { RateLimit } from '#server/http/rate-limits.ts'

type Kind = 'read' | 'write' | 'comment' | 'portal' | 'upload' | 'drawing' | 'export' | 'check' | 'sign_in'

export const PER_ADDRESS: Record<Kind, RateLimit> = {
  read: { calls: 1200, seconds: 20, counted: 'memory' },
  write: { calls: 600, seconds: 60, counted: 'database' },
  comment: { calls: 60, seconds: 60, counted: 'database' },
  portal: { calls: 1200, seconds: 60, counted: 'database' },
  upload: { calls: 300, seconds: 600, counted: 'database' },
  drawing: { calls: 120, seconds: 60, counted: 'memory' },
  export: { calls: 60, seconds: 600, counted: 'database' },
  check: { calls: 240, seconds: 60, counted: 'database' },
  sign_in: { calls: 120, seconds: 600, counted: 'database' },
}

export const PER_MEMBER: Partial<Record<Kind, RateLimit>> = {
  write: { calls: 120, seconds: 60, counted: 'database' },
  comment: { calls: 10, seconds: 60, counted: 'database' },
  portal: { calls: 600, seconds: 60, counted: 'database' },
  upload: { calls: 60, seconds: 600, counted: 'database' },
  export: { calls: 10, seconds: 600, counted: 'database' },
  check: { calls: 40, seconds: 60, counted: 'database' },
}

const NAMES: Record<Kind, string> = {
  read: 'Reading',
  write: 'Writing',
  comment: 'Commenting',
  portal: 'Portal actions',
  upload: 'Publishing scripts and uploading images',
  drawing: 'Images for link previews',
  check: 'Checking the behavior of drafts',
  export: 'Exporting data',
  sign_in: 'Signing in',
}

/** The limits as the API reference lists them. */
export const DESCRIBED_LIMITS = Object.entries(NAMES).flatMap(([name, kind]) =>
  (
    [
      ['network', PER_ADDRESS],
      ['member', PER_MEMBER],
    ] as const
  ).flatMap(([per, limits]) => {
    const limit = limits[name as Kind]
    return limit ? [{ kind, calls: limit.calls, seconds: limit.seconds, per }] : []
  }),
)

interface Rule {
  /** Of the matched route, however the client writes its URL. */
  route: RegExp
  methods?: readonly string[]
  /** Null for requests that are not limited. */
  kind: Kind | null
}

const READS = ['GET', 'HEAD']

/** The first rule that matches the request's route decides; a request without a rule is a write. */
const RULES: readonly Rule[] = [
  // Immutable files and health checks.
  { route: /^\/(assets|media)\/|^\/(healthz|readyz)$/, kind: null },
  { route: /^\/api\/discord-(auth|callback)\b/, kind: 'sign_in' },
  // An export reads everything that a member has.
  { route: /^\/api\/(account-data|favorites-export)\b/, kind: 'export' },
  // Drawing an image takes a tenth of a second.
  { route: /^\/social\//, kind: 'drawing' },
  { route: /^/, methods: READS, kind: 'read' },
  // An admin's action on many scripts is one call per script.
  { route: /^\/api\/admin-/, kind: 'portal' },
  { route: /^\/api\/script-comments\b/, methods: ['POST'], kind: 'comment' },
  // Each check analyzes up to 1 MiB of code.
  { route: /^\/api\/script-check\b/, methods: ['POST'], kind: 'check' },
  { route: /^\/api\/(scripts|media)\b/, methods: ['POST'], kind: 'upload' },
]

export function kindOf({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>): Kind | undefined {
  const url = routeOptions.url ?? ''
  const rule = RULES.find(({ route, methods }) => route.test(url) && (methods?.includes(method) ?? true))
  return rule ? (rule.kind ?? undefined) : 'write'
}
