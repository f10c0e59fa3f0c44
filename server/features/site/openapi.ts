import type { Operation } from '#contract/operation.ts'
import { OPERATION_GROUPS, operations } from '#contract/operations.ts'
import { Problem } from '#contract/operation.ts'
import type { Site } from '#contract/site.ts'
import { ANYONE } from '#server/http/operations.ts'

/** How often one network or one member may call operations of a kind. */
export interface DescribedLimit {
  kind: string
  calls: number
  seconds: number
  per: 'network' | 'member'
}

interface ApiOptions {
  site: Site
  /** The callers that each operation admits. */
  access: ReadonlyMap<string, string>
  limits: readonly DescribedLimit[]
}

/** The contract as an OpenAPI 3.1 document. */
export function describeApi({ site, access, limits }: ApiOptions): object {
  const groups = new Map(
    OPERATION_GROUPS.flatMap((group) => Object.keys(group.operations).map((name) => [name, group.name])),
  )
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method, path] = name.split(' ') as [string, string]
    const described = describeOperation(operation, access.get(name) ?? ANYONE)
    paths[path] = { ...paths[path], [method.toLowerCase()]: { tags: [groups.get(name)], ...described } }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${site.name} API`, version: '1' },
    servers: [{ url: site.public_url }],
    tags: OPERATION_GROUPS.map(({ name, description }) => ({ name, description })),
    'x-rate-limits': limits,
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'The token of a session' } },
      responses: { Problem: { description: 'An error message and a stable error code', content: jsonOf(Problem) } },
    },
  }
}

function describeOperation(operation: Operation, access: string): object {
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
    'x-access': access,
    // An empty requirement makes the token optional.
    security: access === ANYONE ? [{}, { session: [] }] : [{ session: [] }],
    parameters,
    ...(operation.body ? { requestBody: { required: !operation.mayHaveNoBody, content: jsonOf(operation.body) } } : {}),
    responses: { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Problem' } },
  }
}

const jsonOf = (schema: object) => ({ 'application/json': { schema } })
