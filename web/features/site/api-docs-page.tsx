import { useEffect, useState } from 'react'
import { Link, useLoaderData } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import { PageHead } from '#web/shared/page-head.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { Pill } from '#web/ui/pill.tsx'
import { Example } from './api-example.tsx'
import { type ApiOperation, pathWithExamples, type Values } from './api-examples.ts'
import { InlineCode, SchemaTable } from './api-schema-table.tsx'
import { type WebhookMessages, WebhooksText } from './api-webhooks.tsx'

// The parts of OpenAPI that /api/v1/openapi.json uses.
interface ApiDescription {
  tags: { name: string; description: string }[]
  'x-rate-limits': { kind: string; calls: number; seconds: number; per: 'network' | 'member' | 'token' }[]
  paths: Record<string, Record<string, ApiOperation>>
  webhooks: WebhookMessages
}

export async function loader({ context }: LoaderArgs): Promise<ApiDescription & { example: Values }> {
  const api = context.get(apiContext)
  const [description, list] = await Promise.all([
    api.request<ApiDescription>('GET', '/v1/openapi.json'),
    api('GET /api/scripts', { query: { limit: 1 } }).catch(() => null),
  ])
  const [first] = list?.scripts ?? []
  const { id = 1, slug = 'example-1', author_slug: author = 'example' } = first ?? {}
  return { ...description, example: { id, slug, author } }
}

interface NamedOperation {
  /** `GET /api/v1/scripts`. */
  name: string
  method: string
  path: string
  operation: ApiOperation
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const CHAPTERS = {
  authentication: 'Authentication',
  errors: 'Errors',
  pages: 'Pages and cursors',
  limits: 'Limits',
  browsers: 'Other sites',
  publishing: 'Publishing',
  versions: 'Versions',
  webhooks: 'Webhooks',
}

/** Reference of the stable API, rendered from its OpenAPI document. */
export function Component() {
  const { tags, paths, webhooks, 'x-rate-limits': limits, example } = useLoaderData<typeof loader>()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): NamedOperation => {
      const upper = method.toUpperCase()
      return { name: `${upper} ${path}`, method: upper, path, operation }
    }),
  )
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-10">
      <PageHead
        title="API"
        description="The API of this site for programs: parameters, responses, examples, tokens and limits."
        path="/api/docs"
      />
      <h1 className="text-2xl font-semibold">API</h1>
      <div className="mt-6 gap-10 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Contents groups={groups} />
        <div className="flex min-w-0 flex-col gap-12">
          <Introduction limits={limits} webhooks={webhooks} />
          {groups.map(({ name, description, operations: members }) => (
            <section key={name} aria-labelledby={anchorOf(name)}>
              <h2 id={anchorOf(name)} className="scroll-mt-20 text-xl font-semibold">
                {name}
              </h2>
              <p className="mt-1 text-muted">{description}</p>
              <div className="mt-4 flex flex-col gap-4">
                {members.map((member) => (
                  <OperationCard key={member.name} {...member} example={example} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Links to all chapters and groups: beside the text on wide screens, above it on others. The current group lists its operations. */
function Contents({ groups }: { groups: { name: string; operations: NamedOperation[] }[] }) {
  const current = useCurrentGroup([...Object.keys(CHAPTERS), ...groups.map(({ name }) => anchorOf(name))])
  return (
    <nav
      aria-label="Contents"
      className="mb-10 text-sm lg:sticky lg:top-20 lg:mb-0 lg:max-h-[calc(100vh-6rem)] lg:self-start lg:overflow-y-auto lg:pr-2"
    >
      <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-1">
        {Object.entries(CHAPTERS).map(([id, label]) => (
          <li key={id}>
            <ContentsLink id={id} label={label} isCurrent={current === id} />
          </li>
        ))}
        {groups.map(({ name, operations }) => {
          const id = anchorOf(name)
          return (
            <li key={name}>
              <ContentsLink id={id} label={name} isCurrent={current === id} />
              {current === id && (
                <ul className="hidden border-l border-line lg:block">
                  {operations.map((operation) => (
                    <li key={operation.name}>
                      <Link
                        to={{ hash: anchorOf(operation.name) }}
                        replace
                        className="block py-1 pl-3 font-mono text-xs break-words text-muted hover:text-text"
                      >
                        {operation.method} {operation.path.replace('/api/v1/', '')}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function ContentsLink({ id, label, isCurrent = false }: { id: string; label: string; isCurrent?: boolean }) {
  return (
    <Link
      to={{ hash: id }}
      replace
      aria-current={isCurrent ? 'true' : undefined}
      className="flex min-h-11 items-center text-muted hover:text-text lg:min-h-8 aria-[current]:font-medium aria-[current]:text-accent"
    >
      {label}
    </Link>
  )
}

/** Distance from the top of the viewport in pixels, below the sticky header. */
const READING_LINE = 120

const isPassed = (id: string) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= READING_LINE

/** Id of the last chapter or group that starts above the reading line; undefined above the first. */
function useCurrentGroup(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>()
  const key = ids.join(' ')
  useEffect(() => {
    const update = () => {
      setCurrent(key.split(' ').findLast(isPassed))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [key])
  return current
}

function Introduction({ limits, webhooks }: { limits: ApiDescription['x-rate-limits']; webhooks: WebhookMessages }) {
  const { site } = useRootData()
  return (
    <div className="flex max-w-prose flex-col gap-8">
      <p className="text-muted">
        JSON over HTTPS at <code className="wrap-anywhere">{site.public_url}/api/v1</code>. Public data needs no
        account. Fields may be added at any time, so ignore those you don't know. For programs, there is an{' '}
        <a href="/api/v1/openapi.json" className="text-accent underline">
          OpenAPI document
        </a>
        .
      </p>
      <Chapter id="authentication">
        Create an API token in your{' '}
        <Link to="/profile/settings?tab=tokens" className="text-accent underline">
          settings
        </Link>{' '}
        and send it as <code>Authorization: Bearer sy_…</code>. It acts for you within its scopes, such as{' '}
        <code>scripts:write</code>, which includes <code>versions:write</code>; each operation names the scope that it
        needs. Trusted builds get a token automatically. Tokens expire, and a revoked one is rejected at once. They
        never work for your account's settings, sessions or tokens, or for moderation. Keep them out of your code.
        Secret scanners recognize our tokens.
      </Chapter>
      <Chapter id="errors">
        Errors have a matching status and problem details (RFC 9457, <code>application/problem+json</code>):{' '}
        <code>detail</code> is a sentence for people, <code>code</code> is stable for programs, and <code>fields</code>{' '}
        has the reason for each rejected field. Parameters and fields that the operation does not have are rejected,
        too. After 429 and 503, wait for the seconds in <code>Retry-After</code>.
        <ErrorTable />
      </Chapter>
      <Chapter id="pages">
        Lists return at most <code>limit</code> entries. To read on, send the <code>next_cursor</code> of a response as{' '}
        <code>cursor</code>, with the same other parameters, until it is null. Nothing repeats or is left out while
        entries are added or removed, unless the sort moves them, such as by views. Some lists also take{' '}
        <code>page</code>, from 1. Responses have an <code>ETag</code>: send it in <code>If-None-Match</code> and
        receive 304 without a body if nothing changed.
      </Chapter>
      <Limits limits={limits} />
      <Chapter id="browsers">
        Pages of other sites may read what visitors see: <code>Access-Control-Allow-Origin: *</code>, without
        credentials. Use tokens on servers and in programs only.
      </Chapter>
      <Chapter id="publishing">
        The site checks a version before visitors get it. After <code>PUT …/versions</code> its <code>state</code> is{' '}
        <code>checking</code>, usually for a second or two: call <code>GET …/versions/{'{number}'}</code> with the same
        token until it is <code>current</code> or <code>held</code>. A version that would start something serious is{' '}
        <code>held</code> with its reasons, until its author confirms it in the browser or a moderator releases it; no
        token can do that. Until then everyone gets the version before it, and <code>waiting</code> in{' '}
        <code>GET …/scripts/{'{slug}'}</code> says what waits and why. Withdrawn code is in <code>GET /withdrawn</code>,
        and its addresses answer 410.
      </Chapter>
      <Chapter id="versions">
        Within <code>/api/v1</code>, routes, optional parameters and fields are added, but not removed or changed. If a
        route has to end, it is marked here and sends <code>Deprecation</code> and <code>Sunset</code> headers for at
        least twelve months. URLs of the site's API outside <code>/api/v1</code> may change at any time.
      </Chapter>
      <Chapter id="webhooks">
        <WebhooksText messages={webhooks} />
      </Chapter>
    </div>
  )
}

function Limits({ limits }: { limits: ApiDescription['x-rate-limits'] }) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits" className="scroll-mt-20 text-xl font-semibold">
        {CHAPTERS.limits}
      </h2>
      <p className="mt-2 text-muted">
        {limits.length === 0
          ? 'This site has no limits on the number of calls.'
          : 'Calls beyond a limit get status 429 until its period ends. Requests from one network (an IPv4 address or an IPv6 /64) count together. The headers RateLimit-Policy and RateLimit say what is left.'}
      </p>
      {limits.length > 0 && (
        <table className="mt-3 w-full text-left text-sm">
          <thead>
            <tr className="border-b border-line text-muted">
              <th className="py-1 pr-4 font-medium">For</th>
              <th className="py-1 font-medium">Calls</th>
            </tr>
          </thead>
          <tbody>
            {limits.map(({ kind, calls, seconds, per }) => (
              <tr key={`${kind} ${per}`} className="border-b border-line">
                <td className="py-1 pr-4">{kind}</td>
                <td className="py-1 text-muted">
                  {fullCount(calls)} in {seconds} seconds per {per}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Chapter({ id, children }: { id: keyof typeof CHAPTERS; children: React.ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="scroll-mt-20 text-xl font-semibold">
        {CHAPTERS[id]}
      </h2>
      <div className="mt-2 text-muted">{children}</div>
    </section>
  )
}

/** The codes that programs should handle. Problem details link to them. */
const ERRORS = {
  token_invalid: '401: the API token is incomplete, unknown or revoked',
  token_expired: '401: create a new API token',
  unauthorized: '401: send an API token',
  insufficient_scope: '403: the API token lacks the scope that the operation names',
  token_not_allowed: '403: API tokens cannot be used for this',
  not_the_author: '403: the script belongs to another member',
  token_not_for_script: '403: the token of a trusted build is for another script',
  no_trusted_publisher: '403: the script does not trust this repository, workflow, branch or environment',
  repository_replaced: '403: another repository now has the name of the trusted one',
  id_token_event: '403: builds of pull requests and merge requests cannot publish',
  muted: '403: you may read but not write for now',
  invalid: '400: see fields',
  id_token_malformed: '400: send the ID token that the server of the build has issued',
  id_token_issuer: '400: this site accepts no ID tokens of this issuer',
  id_token_audience: '400: request the ID token for the URL of this site',
  id_token_algorithm: '400: the ID token must be signed with RS256 or ES256',
  id_token_key: '400: the issuer does not list the key of the ID token',
  id_token_signature: '400: the signature of the ID token is not valid',
  id_token_claims: '400: the ID token does not name the repository and workflow',
  id_token_expired: '400: request a new ID token',
  id_token_not_yet_valid: '400: the ID token is not valid yet',
  id_token_used: '400: each ID token can be exchanged once; request a new one',
  not_found: '404: the URL or the resource does not exist',
  script_not_found: '404: the script does not exist or is not visible to you',
  changed_meanwhile: '409: someone else changed it since you read it',
  version_exists: '409: the script has a version with this number',
  withdrawn_code: '409: the code was withdrawn, so nobody can publish it again',
  publisher_ambiguous: '409: scripts of several authors trust the build; send script_id',
  version_withdrawn: '410: the version was withdrawn; withdrawn has the date, the reason and what replaces it',
  script_removed: '410: the script was removed',
  too_large: '413: the body is larger than the operation accepts',
  too_many_requests: '429: wait for the seconds in Retry-After',
  upload_quota: '429: you have reached the upload limit for today',
  issuer_unavailable: '503: the keys of the issuer cannot be read; try again in a moment',
  unavailable: '503: try again in a moment',
}

function ErrorTable() {
  return (
    <dl className="mt-3 text-sm">
      {Object.entries(ERRORS).map(([code, text]) => (
        <div key={code} id={`error-${code}`} className="scroll-mt-20 border-b border-line py-1 sm:flex sm:gap-4">
          <dt className="shrink-0 font-mono text-text sm:w-44">{code}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function OperationCard({ name, method, path, operation, example }: NamedOperation & { example: Values }) {
  const body = operation.requestBody?.content['application/json'].schema
  const query = {
    properties: Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: operation.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }
  const id = anchorOf(name)
  return (
    <section aria-labelledby={id} className="rounded-md border border-line bg-surface-1 p-5">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 id={id} className="scroll-mt-20 font-mono text-base font-semibold wrap-anywhere">
          <Link to={{ hash: id }} replace className="hover:underline">
            {name}
          </Link>
        </h3>
        <Pill>{operation['x-access']}</Pill>
      </div>
      <p className="mt-1 text-muted">
        <InlineCode text={operation.summary} />
      </p>
      {operation['x-scope'] && (
        <p className="mt-1 text-sm text-muted">
          {operation['x-scope'] === 'any' ? 'Any API token' : 'API tokens with the scope '}
          {operation['x-scope'] !== 'any' && <code className="wrap-anywhere">{operation['x-scope']}</code>}
          {operation['x-access'] === 'Anyone' && ', to see what only you may see'}
        </p>
      )}
      {operation.parameters.length > 0 && <SchemaTable title="Parameters" schema={query} />}
      {body && <SchemaTable title="Body" schema={body} />}
      {Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).map(({ schema }) => (
          <SchemaTable key={status} title={`${status} response`} schema={schema} />
        )),
      )}
      <Example
        method={method}
        path={pathWithExamples(path, operation, example)}
        operation={operation}
        values={example}
      />
    </section>
  )
}
