import type { Operation } from '#contract/operation.ts'
import { operations } from '#contract/operations.ts'
import { Problem } from '#contract/operation.ts'
import type { Site } from '#contract/site.ts'

function describeOperation(operation: Operation): object {
  const query = operation.query
  const parameters = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) === true && !('default' in schema),
    schema,
  }))
  const responses = Object.entries(operation.response).map(([status, schema]) => [
    status,
    { description: 'Success', content: { 'application/json': { schema } } },
  ])
  return {
    summary: operation.summary,
    parameters,
    ...(operation.body ? { requestBody: { required: !operation.mayHaveNoBody, content: jsonOf(operation.body) } } : {}),
    responses: { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Problem' } },
  }
}

const jsonOf = (schema: object) => ({ 'application/json': { schema } })

/** The contract as an OpenAPI 3.1 document. */
export function describeApi(site: Site): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method, path] = name.split(' ') as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${site.name} API`, version: '1' },
    servers: [{ url: site.public_url }],
    paths,
    components: {
      responses: { Problem: { description: 'An error message and a stable error code', content: jsonOf(Problem) } },
    },
  }
}
