import type { App } from './app.ts'
import { AppError } from './errors.ts'

/** Returns the error for a request that no route accepts: 405 if its path has a route for another method, else 404. */
export type ExplainNoRoute = (request: { url: string; method: string }) => AppError

/** Collects the routes that are registered after this call. */
export function collectRoutes(app: App): ExplainNoRoute {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // Routes with an open end answer for URLs that do not exist.
    if (url.endsWith('*')) return
    const methods = methodsByUrl.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsByUrl.set(url, methods)
  })
  return ({ url, method }) => {
    const path = url.split('?', 1)[0] ?? url
    const allowed = new Set([...methodsByUrl].flatMap(([route, methods]) => (matches(route, path) ? [...methods] : [])))
    return allowed.size > 0 && !allowed.has(method) ? methodNotAllowed([...allowed]) : noSuchUrl()
  }
}

/** Whether a path belongs to a route with parameters (`:name`). */
function matches(route: string, path: string): boolean {
  const parts = path.split('/')
  const expected = route.split('/')
  const isPart = (part: string, i: number) => part === parts[i] || (part.includes(':') && parts[i] !== '')
  return parts.length === expected.length && expected.every(isPart)
}

const noSuchUrl = () => new AppError('not_found', 404, 'This URL does not exist.')

export const methodNotAllowed = (allowed: readonly string[]): AppError => {
  const allow = allowed.toSorted().join(', ')
  return new AppError('method_not_allowed', 405, `This URL accepts ${allow} only.`, { headers: { allow } })
}
