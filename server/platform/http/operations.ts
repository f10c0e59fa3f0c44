import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LimitKind, Operation } from '#contract/operation.ts'
import {
  type BodyOf,
  type OperationName,
  type Operations,
  operations,
  type QueryOf,
  type ResultOf,
} from '#contract/operations.ts'
import type { CallerOf } from '#server/platform/authorization/guards.ts'
import type { App } from './app.ts'
import { type Alias, toAlias } from './v1.ts'
import { bodyReader, NO_PARAMETERS, queryReader } from './validation.ts'

type CallerOfOperation<K extends OperationName> = CallerOf<Operations[K]['access']>

export interface Call<K extends OperationName> {
  query: QueryOf<K>
  body: BodyOf<K>
  caller: CallerOfOperation<K>
  request: FastifyRequest
  reply: FastifyReply
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit that requests count for; by default `read` or `write`, which depends on the method. */
    limit?: LimitKind | 'none' | undefined
    operation?: { name: OperationName; scope: Operation['scope']; tolerant: boolean | undefined }
  }
}

type Result<K extends OperationName> = ResultOf<K> | FastifyReply

const readNothing = () => undefined

const createReaders = ({ query, body }: Operation, tolerant: boolean | undefined) => ({
  readQuery: queryReader(query ?? NO_PARAMETERS, { tolerant }),
  readBody: body ? bodyReader(body, { tolerant }) : readNothing,
})

/** Registers the route of one operation of the contract, and that of the stable API that calls it. */
export function serve<K extends OperationName>(
  app: App,
  name: K,
  handle: (call: Call<K>) => Result<K> | Promise<Result<K>>,
): void {
  const [method, url] = name.split(' ') as [string, string]
  const operation: Operation = operations[name]
  const { access, accessWith, cacheControl, stable } = operation
  const guardOf = ({ query }: FastifyRequest) => app.guards[accessWith?.(query as Record<string, unknown>) ?? access]
  const addRoute = (route: Route, tolerant?: boolean) => {
    const { readQuery, readBody } = createReaders(operation, tolerant)
    app.route({
      method: route.method,
      url: route.url,
      config: {
        operation: { name, scope: operation.scope, tolerant },
        limit: operation.limit,
        deprecated: route.deprecated,
      },
      ...(operation.maxBodyBytes ? { bodyLimit: operation.maxBodyBytes } : {}),
      // Before the body is received: it costs nothing to those who may not call.
      onRequest: async (request) => {
        route.restrict?.(request)
        request.caller = await guardOf(request)(request)
      },
      handler: async (request, reply) => {
        if (cacheControl) reply.header('cache-control', cacheControl)
        const caller = request.caller as CallerOfOperation<K>
        const query = readQuery(route.readQuery?.(request) ?? (request.query as Record<string, unknown>)) as QueryOf<K>
        const input = route.readBody ? route.readBody(request) : request.body
        const body = readBody(operation.mayHaveNoBody ? (input ?? {}) : input) as BodyOf<K>
        try {
          return await handle({ query, body, caller, request, reply })
        } finally {
          request.bodyLease?.release()
        }
      },
    })
  }
  if (stable?.route !== name) addRoute({ method, url }, operation.tolerant)
  if (stable) addRoute(toAlias(operation, stable))
}

type Route = Pick<Alias, 'method' | 'url'> & Partial<Alias>
