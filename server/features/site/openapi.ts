import { emailOperations } from '#contract/email.ts'
import { OPERATION_GROUPS, type OperationName, operations } from '#contract/operations.ts'
import { ACCESS, type Operation, Problem, ProblemDetails, type StableRoute } from '#contract/operation.ts'
import { webhookMessages } from '#contract/webhooks.ts'
import type { Site } from '#contract/site.ts'

export interface DescribedLimit {
  kind: string
  calls: number
  seconds: number
  per: 'network' | 'member' | 'token'
}

interface ApiOptions {
  site: Site
  limits: readonly DescribedLimit[]
}

const GROUP_OF = new Map(
  OPERATION_GROUPS.flatMap((group) => Object.keys(group.operations).map((name) => [name, group.name])),
)

const OPERATION_NAMES = Object.keys(operations) as OperationName[]

const stableRouteOf = (name: OperationName): StableRoute | undefined => (operations[name] as Operation).stable

export function describeApi(options: ApiOptions): object {
  const names = OPERATION_NAMES.filter((name) => options.site.has_email || !(name in emailOperations))
  const routes = names.map((name) => {
    const stable = stableRouteOf(name)
    return { route: name, name, path: (stable?.route === name && stable.path) || {}, omit: [] }
  })
  return describeRoutes(options, routes, { version: '0', problem: { type: 'application/json', schema: Problem } })
}

export function describeV1(options: ApiOptions): object {
  const stable = OPERATION_NAMES.flatMap((name) => {
    const { route, path = {}, omit = [], deprecated } = stableRouteOf(name) ?? {}
    return route ? [{ route, name, path, omit, deprecated: deprecated !== undefined }] : []
  })
  // Feeds are for programs, too.
  const feeds = OPERATION_NAMES.filter((name) => !name.includes(' /api/'))
  const routes = [...stable, ...feeds.map((name) => ({ route: name, name, path: {}, omit: [] }))]
  const problem = { type: 'application/problem+json', schema: ProblemDetails }
  return describeRoutes(options, routes, { version: '1', problem })
}

interface DescribedRoute {
  /** Method and path, with `{name}` for parts of the path. */
  route: string
  name: OperationName
  path: Readonly<Record<string, string>>
  omit: readonly string[]
  deprecated?: boolean
}

interface Edition {
  version: string
  problem: { type: string; schema: object }
}

function describeRoutes({ site, limits }: ApiOptions, routes: DescribedRoute[], edition: Edition): object {
  const { version, problem } = edition
  const paths: Record<string, Record<string, object>> = {}
  for (const described of routes) {
    const [method, url] = described.route.split(' ') as [string, string]
    const tags = [GROUP_OF.get(described.name)]
    const operation = describeOperation(described)
    paths[url] = { ...paths[url], [method.toLowerCase()]: { tags, ...operation } }
  }
  const used = new Set(routes.map(({ name }) => GROUP_OF.get(name)))
  return {
    openapi: '3.1.0',
    info: { title: `${site.name} API`, version },
    servers: [{ url: site.public_url }],
    tags: OPERATION_GROUPS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    'x-rate-limits': limits,
    paths,
    webhooks: Object.fromEntries(webhookMessages.map((message) => [message.type, describeMessage(message)])),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token (sy_…), within its scopes' },
        session: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
      },
      responses: {
        Problem: {
          description: 'An error message and a stable error code',
          content: { [problem.type]: { schema: problem.schema } },
        },
      },
    },
  }
}

function describeOperation({ route, name, path, omit, deprecated }: DescribedRoute): object {
  const operation: Operation = operations[name]
  const { query, body, scope, response } = operation
  const access = ACCESS[operation.access]
  const inPath = Object.entries(path)
  const isOmitted = (field: string) => omit.includes(field)
  const isSet = (field: string) => isOmitted(field) || inPath.some(([, target]) => target === field)
  const parameters = Object.entries(query?.properties ?? {})
    .filter(([field]) => !isSet(field))
    .map(([field, schema]) => ({
      name: field,
      in: 'query',
      required: query?.required?.includes(field) === true && !('default' in schema),
      schema,
    }))
  const pathParameters = inPath.map(([part, field]) => ({
    name: part,
    in: 'path',
    required: true,
    schema: part === 'slug' ? SLUG : (query?.properties[field] ?? { type: 'string' }),
  }))
  const mediaType = operation.contentType?.split(';', 1)[0] ?? 'application/json'
  const responses = Object.entries(response).map(([status, schema]) => [
    status,
    { description: 'Success', content: { [mediaType]: { schema: withoutFields(schema, isOmitted) } } },
  ])
  const isTolerant = operation.tolerant === true && route === name
  const content = body && withoutFields(isTolerant ? openObjects(body) : body, isSet)
  // An empty requirement makes the token optional.
  const required = [...(scope ? [{ token: scope === 'any' ? [] : [scope] }] : []), { session: [] }]
  return {
    summary: operation.summary,
    ...(isTolerant ? { 'x-tolerant': true } : {}),
    'x-access': access,
    ...(scope ? { 'x-scope': scope } : {}),
    ...(deprecated ? { deprecated } : {}),
    security: access === ACCESS.public ? [{}, ...required] : required,
    parameters: [...pathParameters, ...parameters],
    ...(content
      ? { requestBody: { required: isRequired(content) && !operation.mayHaveNoBody, content: jsonOf(content) } }
      : {}),
    responses: { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Problem' } },
  }
}

const SLUG = { type: 'string', description: 'Any text that ends with a hyphen and the id, or the id' }

interface BodySchema {
  properties?: Record<string, object>
  required?: string[]
}

const isRequired = (body: object): boolean => !('required' in body) || (body as BodySchema).required?.length !== 0

/** A body without these fields; undefined if nothing is left. */
function withoutFields(schema: object, isSet: (field: string) => boolean): object | undefined {
  const { properties, required } = schema as BodySchema
  if (!properties || !Object.keys(properties).some(isSet)) return schema
  const left = Object.entries(properties).filter(([field]) => !isSet(field))
  if (left.length === 0) return undefined
  return { ...schema, properties: Object.fromEntries(left), required: required?.filter((field) => !isSet(field)) }
}

/** The schema without the ban of unknown fields. */
const openObjects = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as object

const jsonOf = (schema: object) => ({ 'application/json': { schema } })

/** A request that the site sends, with the headers of the Standard Webhooks specification. */
function describeMessage({ summary, body }: (typeof webhookMessages)[number]): object {
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return {
    post: {
      summary,
      parameters: headers.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
      requestBody: { required: true, content: jsonOf(body) },
      responses: { '2XX': { description: 'Received. Every other response is a failure, and the event is sent again' } },
    },
  }
}
