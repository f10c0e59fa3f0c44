import type { ComponentType } from 'react'

/** Values that the caller passes to loaders, by typed keys. */
export class LoaderContext {
  readonly #values: Map<ContextKey, unknown>

  constructor(values: Iterable<readonly [ContextKey, unknown]> = []) {
    this.#values = new Map(values)
  }

  /** The value, or else the key's default. Throws if there is neither. */
  get<T>(key: ContextKey<T>): T {
    if (this.#values.has(key)) return this.#values.get(key) as T
    if (key.fallback === undefined) throw new Error('A loader read a context value that was not set.')
    return key.fallback
  }

  set<T>(key: ContextKey<T>, value: T): void {
    this.#values.set(key, value)
  }
}

export interface ContextKey<T = unknown> {
  readonly fallback: T | undefined
}

export function createContextKey<T>(fallback?: T): ContextKey<T> {
  return { fallback }
}

export type Params = Readonly<Record<string, string | undefined>>

export interface LoaderArgs {
  context: LoaderContext
  params: Params
  /** Carries the URL, and a signal that aborts when the result is no longer needed. */
  request: Request
}

export type Loader = (args: LoaderArgs) => unknown

export interface PageModule {
  Component?: ComponentType | undefined
  loader?: Loader | undefined
}

export interface Route extends PageModule {
  id: string
  /** Segments may be `:name`, `optional?` or, as the last one, `*`. Relative to the parent's path. */
  path?: string
  /** Query parameters that the page reads while the server renders it. */
  parameters?: readonly string[]
  /** Loads the component and the loader with the first navigation to the route. */
  load?: (() => Promise<PageModule>) | undefined
  /** Shown instead of the component if it, its loader or a child without its own fails. */
  ErrorBoundary?: ComponentType
  /** Loads data once; navigations keep it. */
  isLoadedOnce?: boolean
  children?: readonly Route[]
}

export interface Match {
  route: Route
  params: Params
  /** The part of the URL's path that the route and its parents match. */
  pathname: string
}

/** An error with an HTTP status that a loader threw with `data`. */
export class ErrorResponse {
  readonly status: number
  readonly data: unknown

  constructor(status: number, value: unknown) {
    this.status = status
    this.data = value
  }
}

/** Data with an HTTP status. */
export class DataResponse<T> {
  readonly data: T
  readonly status: number

  constructor(value: T, status: number) {
    this.data = value
    this.status = status
  }
}

/** A loader's result with a status for the server's response. Thrown, it is an error with that status. */
export function data<T>(value: T, { status = 200 }: { status?: number } = {}): DataResponse<T> {
  return new DataResponse(value, status)
}

export class Redirect {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

/** A loader's result that leads to another URL instead of the requested one. */
export function redirect(location: string): Redirect {
  return new Redirect(location)
}

/** The data of a loader's result. */
export type LoaderData<T> = T extends (...args: never[]) => infer R ? DataOf<Awaited<R>> : T
type DataOf<R> = R extends DataResponse<infer T> ? T : R extends Redirect ? never : R

interface Branch {
  routes: readonly Route[]
  pattern: RegExp
  names: readonly string[]
  /** Number of path segments that each route and its parents match. */
  depths: readonly number[]
}

const segmentsOf = (path = '') => path.split('/').filter((segment) => segment !== '')

function compile(routes: readonly Route[]): Branch {
  const names: string[] = []
  const depths: number[] = []
  let pattern = '^'
  let depth = 0
  for (const { path } of routes) {
    for (const segment of segmentsOf(path)) {
      depth++
      if (segment === '*') pattern += '(?:/.*)?'
      else if (segment.startsWith(':')) {
        names.push(segment.slice(1))
        pattern += '/([^/]+)'
      } else pattern += segment.endsWith('?') ? `(?:/${segment.slice(0, -1)})?` : `/${segment}`
    }
    depths.push(depth)
  }
  return { routes, pattern: new RegExp(`${pattern}/?$`, 'i'), names, depths }
}

function* branchesOf(routes: readonly Route[], parents: readonly Route[] = []): Generator<Branch> {
  for (const route of routes) {
    const chain = [...parents, route]
    if (route.children) yield* branchesOf(route.children, chain)
    else yield compile(chain)
  }
}

const compiled = new WeakMap<readonly Route[], Branch[]>()

/** The routes that match a path, outermost first. The first branch in the order of the table wins. */
export function matchRoutes(routes: readonly Route[], pathname: string): Match[] {
  const branches = compiled.get(routes) ?? [...branchesOf(routes)]
  compiled.set(routes, branches)
  for (const branch of branches) {
    const match = branch.pattern.exec(pathname)
    if (!match) continue
    const params = Object.fromEntries(branch.names.map((name, i) => [name, decode(match[i + 1] ?? '')]))
    const segments = segmentsOf(pathname)
    return branch.routes.map((route, i) => ({
      route,
      params,
      pathname: `/${segments.slice(0, branch.depths[i]).join('/')}`,
    }))
  }
  return []
}

/** A value with a malformed escape is not decoded. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export interface LoadedData {
  loaderData: Readonly<Record<string, unknown>>
  /** By the id of the route that failed. */
  errors: Readonly<Record<string, unknown>> | null
}

interface LoadOptions {
  matches: readonly Match[]
  request: Request
  context: LoaderContext
  /** Data that a route has already. */
  reuse?: (match: Match, index: number) => { data: unknown } | undefined
}

/** Loads the code and the data of all matches in parallel. */
export async function loadMatches({ matches, request, context, reuse }: LoadOptions) {
  const loaderData: Record<string, unknown> = {}
  const errors: Record<string, unknown> = {}
  let status = 200
  let target: Redirect | undefined
  const load = async (match: Match, index: number) => {
    const { route, params } = match
    try {
      await loadRoute(route)
      const reused = reuse?.(match, index)
      const result = reused ? reused.data : await route.loader?.({ context, params, request })
      if (result instanceof Redirect) target ??= result
      else if (result instanceof DataResponse) {
        loaderData[route.id] = result.data as unknown
        status = result.status
      } else if (route.loader) loaderData[route.id] = result ?? null
    } catch (error) {
      if (error instanceof Redirect) target ??= error
      else errors[route.id] = error instanceof DataResponse ? new ErrorResponse(error.status, error.data) : error
    }
  }
  await Promise.all(matches.map(load))
  const failures = Object.values(errors)
  if (failures.length > 0) status = failures[0] instanceof ErrorResponse ? failures[0].status : 500
  return { loaderData, errors: failures.length > 0 ? errors : null, status, redirect: target }
}

/** Loads the code of a route, once. */
export async function loadRoute(route: Route): Promise<void> {
  if (!route.load) return
  Object.assign(route, await route.load())
  route.load = undefined
}

/** The index of the route that shows the error, and the error, if a route failed. */
export function findError(matches: readonly Match[], errors: LoadedData['errors']) {
  if (!errors) return undefined
  const failed = matches.findIndex(({ route }) => Object.hasOwn(errors, route.id))
  if (failed < 0) return undefined
  const index = matches.findLastIndex(({ route }, i) => i <= failed && route.ErrorBoundary)
  return index < 0 ? undefined : { index, error: errors[matches[failed]?.route.id ?? ''] }
}
