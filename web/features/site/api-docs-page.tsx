import { useEffect, useState } from 'react'
import { Link, useLoaderData } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import { PageHead } from '#web/components/page-head.tsx'
import { apiContext, useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { Button } from '#web/ui/button.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { type ApiOperation, exampleOf, pathWithExamples } from './api-examples.ts'
import { InlineCode, SchemaTable } from './api-schema-table.tsx'

// The parts of OpenAPI that /api/openapi.json uses.
interface ApiDescription {
  tags: { name: string; description: string }[]
  'x-rate-limits': { kind: string; calls: number; seconds: number; per: 'network' | 'member' }[]
  paths: Record<string, Record<string, ApiOperation>>
}

/** A script that the examples are about, so that they can be run. */
interface ExampleScript {
  id: number
  slug: string
}

export async function loader({ context }: LoaderArgs): Promise<ApiDescription & { example: ExampleScript }> {
  const api = context.get(apiContext)
  const [description, list] = await Promise.all([
    api.request<ApiDescription>('GET', '/openapi.json'),
    api('GET /api/scripts', { query: { limit: 1 } }).catch(() => null),
  ])
  const [first] = list?.scripts ?? []
  return { ...description, example: first ? { id: first.id, slug: first.slug } : { id: 1, slug: 'example-1' } }
}

interface NamedOperation {
  /** `GET /api/scripts`. */
  name: string
  method: string
  path: string
  operation: ApiOperation
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const CHAPTERS = { authentication: 'Authentication', errors: 'Errors', pages: 'Pages', limits: 'Limits' }

/** Reference of all API operations, rendered from the OpenAPI document. */
export function Component() {
  const { tags, paths, 'x-rate-limits': limits, example } = useLoaderData<typeof loader>()
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
        description="All operations of this site's API, with their parameters, responses and examples."
        path="/api/docs"
      />
      <h1 className="text-2xl font-semibold">API</h1>
      <div className="mt-6 gap-10 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Contents groups={groups} />
        <div className="flex min-w-0 flex-col gap-12">
          <Introduction limits={limits} />
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
  const current = useCurrentGroup(groups.map(({ name }) => anchorOf(name)))
  return (
    <nav
      aria-label="Contents"
      className="mb-10 text-sm lg:sticky lg:top-20 lg:mb-0 lg:max-h-[calc(100vh-6rem)] lg:self-start lg:overflow-y-auto lg:pr-2"
    >
      <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-1">
        {Object.entries(CHAPTERS).map(([id, label]) => (
          <li key={id}>
            <ContentsLink id={id} label={label} />
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
                        {operation.method} {operation.path.replace('/api/', '')}
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

/** Id of the last group that starts above the reading line; undefined above the first. */
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

function Introduction({ limits }: { limits: ApiDescription['x-rate-limits'] }) {
  const { site } = useRootData()
  return (
    <div className="flex max-w-prose flex-col gap-8">
      <p className="text-muted">
        JSON over HTTPS at <code className="wrap-anywhere">{site.public_url}/api</code>. What visitors see needs no
        account. Fields may be added at any time, so ignore those you don't know. For programs, there is an{' '}
        <a href="/api/openapi.json" className="text-accent underline">
          OpenAPI document
        </a>
        .
      </p>
      <Chapter id="authentication">
        Operations for members take the token of a session: <code>Authorization: Bearer TOKEN</code>. A browser gets it
        when a member signs in with Discord. It ends after signing out, and members see and end their sessions in the
        settings. Never share it: it gives full access to the account.
      </Chapter>
      <Chapter id="errors">
        Errors have a matching status and the body <code>{'{ error, code, fields? }'}</code>: a sentence for people, a
        stable code for programs, and the reason for each rejected field. After 429 and 503, wait for the seconds in{' '}
        <code>Retry-After</code>.
      </Chapter>
      <Chapter id="pages">
        Lists take <code>page</code> (from 1) and <code>limit</code>, and return <code>pagination</code> with the exact
        total. Responses that can be cached have an <code>ETag</code>: send it in <code>If-None-Match</code> and receive
        304 without a body if nothing changed.
      </Chapter>
      <section aria-labelledby="limits">
        <h2 id="limits" className="scroll-mt-20 text-xl font-semibold">
          {CHAPTERS.limits}
        </h2>
        <p className="mt-2 text-muted">
          {limits.length === 0
            ? 'This site has no limits on the number of calls.'
            : 'Past a limit, calls get 429 until its time is over. Requests of one network (an IPv4 address, or an IPv6 /64) count together.'}
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
    </div>
  )
}

function Chapter({ id, children }: { id: keyof typeof CHAPTERS; children: React.ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="scroll-mt-20 text-xl font-semibold">
        {CHAPTERS[id]}
      </h2>
      <p className="mt-2 text-muted">{children}</p>
    </section>
  )
}

function OperationCard({ name, method, path, operation, example }: NamedOperation & { example: ExampleScript }) {
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
      {operation.parameters.length > 0 && <SchemaTable title="Parameters" schema={query} />}
      {body && <SchemaTable title="Body" schema={body} />}
      {Object.entries(operation.responses).map(([status, { content }]) =>
        content ? (
          <SchemaTable key={status} title={`${status} response`} schema={content['application/json'].schema} />
        ) : null,
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

interface ExampleProps {
  method: string
  path: string
  operation: ApiOperation
  values: ExampleScript
}

/** A call with curl. What visitors may read can be run on the page. */
function Example({ method, path, operation, values }: ExampleProps) {
  const { site } = useRootData()
  const api = useApi()
  const [result, setResult] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const body = operation.requestBody?.content['application/json'].schema
  const isPublic = operation['x-access'] === 'Anyone'
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${site.public_url}${path}'`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(body, values))}'`] : []),
  ]
  const run = async () => {
    setBusy(true)
    try {
      setResult(JSON.stringify(await api.request('GET', path.slice('/api'.length)), null, 2) ?? '')
    } catch (error) {
      setResult(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <details className="mt-1">
      <summary className="min-h-11 content-center font-medium sm:min-h-8">Example</summary>
      <CodeBox label={`Example of ${method} ${path}`} text={lines.join(' \\\n  ')} />
      {method === 'GET' && isPublic && (
        <div className="mt-2 noscript:hidden">
          <Button onClick={() => void run()} disabled={isBusy}>
            Run
          </Button>
          <div aria-live="polite">{result !== undefined && <CodeBox label="Response" text={shorten(result)} />}</div>
        </div>
      )}
    </details>
  )
}

/** Characters of a response that are shown. */
const MAX_SHOWN = 10_000
const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text)

function CodeBox({ label, text }: { label: string; text: string }) {
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="mt-2 max-h-80 overflow-auto rounded-sm border border-line bg-surface-0 p-3"
    >
      <pre className="text-sm">{text}</pre>
    </section>
  )
}
