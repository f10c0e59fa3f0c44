import { useLoaderData } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import { PageHead } from '#web/components/page-head.tsx'
import { apiContext } from '#web/lib/api-context.ts'

// The parts of OpenAPI that /api/openapi.json uses.
interface Schema {
  type?: string
  enum?: (string | number)[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

interface ApiOperation {
  summary: string
  parameters: { name: string; required: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

interface ApiDescription {
  paths: Record<string, Record<string, ApiOperation>>
}

export function loader({ context }: LoaderArgs): Promise<ApiDescription> {
  return context.get(apiContext).request<ApiDescription>('GET', '/openapi.json')
}

/** Reference of all API operations, rendered from the OpenAPI document. */
export function Component() {
  const { paths } = useLoaderData<typeof loader>()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-10">
      <PageHead
        title="API"
        description="All operations of this site's API, with their parameters and responses."
        path="/api/docs"
      />
      <h1 className="text-2xl font-semibold">API</h1>
      <p className="mt-2 text-muted">
        JSON over HTTPS. Errors have a matching status and the body <code>{'{ error, code, fields? }'}</code>. For
        programs, there is an{' '}
        <a href="/api/openapi.json" className="text-accent underline">
          OpenAPI document
        </a>
        .
      </p>
      <div className="mt-8 flex flex-col gap-6">
        {operations.map(({ name, operation }) => (
          <OperationCard key={name} name={name} operation={operation} />
        ))}
      </div>
    </div>
  )
}

function OperationCard({ name, operation }: { name: string; operation: ApiOperation }) {
  const body = operation.requestBody?.content['application/json'].schema
  const query = {
    properties: Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: operation.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }
  return (
    <section className="rounded-md border border-line bg-surface-1 p-5">
      <h2 className="font-mono text-base font-semibold break-words">{name}</h2>
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
    </section>
  )
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array' && schema.items) return `${typeOf(schema.items)}[]`
  return schema.format ?? schema.type ?? 'any'
}

function limitsOf({ minimum, maximum, maxLength, default: defaultValue }: Schema): string {
  return [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    defaultValue === undefined ? '' : `default ${JSON.stringify(defaultValue)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
}

function descriptionOf({ schema, isRequired }: Row): string {
  return [isRequired ? '' : 'optional', limitsOf(schema), schema.description ?? ''].filter(Boolean).join('; ')
}

/** All fields of a schema. Fields of nested objects follow, with a dotted name. */
function rowsOf(schema: Schema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.items ?? field
    const suffix = field.items ? '[]' : ''
    const nested = inner.properties ? rowsOf(inner, `${prefix}${name}${suffix}.`) : []
    return [{ name: prefix + name, schema: field, isRequired: schema.required?.includes(name) ?? false }, ...nested]
  })
}

function SchemaTable({ title, schema }: { title: string; schema: Schema }) {
  const rows = rowsOf(schema)
  return (
    <details className="mt-3">
      <summary className="min-h-11 py-2 font-medium">
        {title}
        {rows.length === 0 && <span className="font-normal text-muted"> {typeOf(schema)}</span>}
      </summary>
      {rows.length > 0 && (
        <section className="overflow-x-auto" tabIndex={0} aria-label={title}>
          <table className="w-full text-left">
            <thead>
              <tr className="border-b border-line text-muted">
                <th className="py-1 pr-4 font-medium">Field</th>
                <th className="py-1 pr-4 font-medium">Type</th>
                <th className="py-1 font-medium">Description</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name} className="border-b border-line align-top">
                  <td className="py-1 pr-4 font-mono">{row.name}</td>
                  <td className="py-1 pr-4 font-mono break-words text-muted">{typeOf(row.schema)}</td>
                  <td className="py-1 text-muted">
                    <InlineCode text={descriptionOf(row)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** Renders text between backticks as code. */
export function InlineCode({ text }: { text: string }) {
  return Array.from(text.split('`').entries(), ([index, part]) =>
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
