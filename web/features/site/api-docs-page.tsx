import { useLoaderData } from 'react-router'
import { PageHead } from '#web/components/page-head.tsx'
import type { Described, loadApi } from './load-api.ts'
import { SchemaTable } from './schema-table.tsx'
import { InlineCode } from './inline-code.tsx'

export { loadApi as loader } from './load-api.ts'

/** Every call of the API, readable, from its own description. */
export function Component() {
  const { paths } = useLoaderData<typeof loadApi>()
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ name: `${method.toUpperCase()} ${path}`, call })),
  )
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-10">
      <PageHead
        title="API"
        description="Every call of this site's API, with what goes in and what comes out."
        path="/api/docs"
      />
      <h1 className="text-2xl font-semibold">API</h1>
      <p className="mt-2 text-muted">
        JSON over HTTPS. A failed call answers with the right status and <code>{'{ error, code, fields? }'}</code>. The
        same as a document for programs:{' '}
        <a href="/api/openapi.json" className="text-accent underline">
          openapi.json
        </a>
        .
      </p>
      <div className="mt-8 flex flex-col gap-6">
        {calls.map(({ name, call }) => (
          <CallCard key={name} name={name} call={call} />
        ))}
      </div>
    </div>
  )
}

function CallCard({ name, call }: { name: string; call: Described }) {
  const body = call.requestBody?.content['application/json'].schema
  const query = {
    properties: Object.fromEntries(call.parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: call.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }
  return (
    <section className="rounded-md border border-line bg-surface-1 p-5">
      <h2 className="font-mono text-base font-semibold break-words">{name}</h2>
      <p className="mt-1 text-muted">
        <InlineCode text={call.summary} />
      </p>
      {call.parameters.length > 0 && <SchemaTable title="Parameters" schema={query} />}
      {body && <SchemaTable title="Body" schema={body} />}
      {Object.entries(call.responses).map(([status, { content }]) =>
        content ? (
          <SchemaTable key={status} title={`Answer ${status}`} schema={content['application/json'].schema} />
        ) : null,
      )}
    </section>
  )
}
