import type { Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'

/** When a route was deprecated and when it ends, as days such as 2030-01-31. */
export interface Deprecation {
  since: string
  sunset: string
  /** The route to use instead. */
  successor?: string
}

/** A route of the stable API: an operation under another URL. */
interface V1Route {
  operation: OperationName
  /** The parameter or body field of the operation that each part of the path sets. A script's slug sets its id. */
  path?: Readonly<Record<string, string>>
  /** Parameters and response fields of the operation that are not part of the stable API. */
  omit?: readonly string[]
  deprecated?: Deprecation
}

const bySlug = { slug: 'id' }

/** The stable API for programs: method and path → operation. Routes and fields may be added; see decision 54. */
export const V1_ROUTES: Readonly<Record<string, V1Route>> = {
  'GET /api/v1/scripts': { operation: 'GET /api/v1/scripts' },
  'POST /api/v1/scripts': { operation: 'POST /api/scripts' },
  'GET /api/v1/scripts/{slug}': { operation: 'GET /api/script-details-slug', path: { slug: 'slug' } },
  'PATCH /api/v1/scripts/{slug}': { operation: 'PUT /api/script-details', path: bySlug },
  'DELETE /api/v1/scripts/{slug}': { operation: 'DELETE /api/script-details', path: bySlug },
  'GET /api/v1/scripts/{slug}/code': { operation: 'GET /api/script-download', path: bySlug },
  'GET /api/v1/scripts/{slug}/versions': { operation: 'GET /api/script-versions', path: bySlug },
  'PUT /api/v1/scripts/{slug}/versions': { operation: 'PUT /api/script-versions', path: bySlug },
  'GET /api/v1/scripts/{slug}/versions/{number}': {
    operation: 'GET /api/script-version',
    path: { slug: 'id', number: 'number' },
  },
  'GET /api/v1/scripts/{slug}/behavior': { operation: 'GET /api/script-behavior', path: bySlug },
  'GET /api/v1/scripts/{slug}/behavior/changes': { operation: 'GET /api/script-behavior-changes', path: bySlug },
  'GET /api/v1/scripts/{slug}/update': { operation: 'GET /api/script-update', path: bySlug },
  'GET /api/v1/scripts/{slug}/related': { operation: 'GET /api/related-scripts', path: bySlug },
  'GET /api/v1/scripts/{slug}/reviews': { operation: 'GET /api/script-rating', path: bySlug },
  'PUT /api/v1/scripts/{slug}/rating': { operation: 'POST /api/script-rating', path: bySlug },
  'DELETE /api/v1/scripts/{slug}/rating': { operation: 'DELETE /api/script-rating', path: bySlug },
  'GET /api/v1/scripts/{slug}/works': { operation: 'GET /api/works-votes', path: bySlug },
  'GET /api/v1/scripts/{slug}/comments': { operation: 'GET /api/script-comments', path: bySlug },
  'POST /api/v1/scripts/{slug}/comments': { operation: 'POST /api/script-comments', path: bySlug },
  'GET /api/v1/withdrawn': { operation: 'GET /api/v1/withdrawn' },
  'GET /api/v1/facets': { operation: 'GET /api/script-facets' },
  'GET /api/v1/suggestions': { operation: 'GET /api/search-suggestions' },
  'GET /api/v1/tags': { operation: 'GET /api/script-tags' },
  'POST /api/v1/check': { operation: 'POST /api/script-check' },
  'PATCH /api/v1/comments/{id}': { operation: 'PUT /api/script-comment', path: { id: 'id' } },
  'DELETE /api/v1/comments/{id}': { operation: 'DELETE /api/script-comment', path: { id: 'id' } },
  'GET /api/v1/members/{name}': { operation: 'GET /api/v1/members/{name}', path: { name: 'user_id' } },
  'GET /api/v1/collections/{slug}': { operation: 'GET /api/collection', path: { slug: 'slug' } },
  'GET /api/v1/giveaways': { operation: 'GET /api/giveaways', omit: ['admin', 'giveaways'] },
  'GET /api/v1/giveaways/{id}/draw': { operation: 'GET /api/giveaway-draw', path: { id: 'id' } },
  'GET /api/v1/ratings': { operation: 'GET /api/own-ratings' },
  'GET /api/v1/favorites': { operation: 'GET /api/favorites' },
  'PUT /api/v1/favorites/{slug}': { operation: 'POST /api/favorites', path: { slug: 'script_id' } },
  'DELETE /api/v1/favorites/{slug}': { operation: 'DELETE /api/favorites', path: { slug: 'script_id' } },
  'GET /api/v1/notifications': { operation: 'GET /api/user-notifications' },
  'DELETE /api/v1/notifications/{id}': {
    operation: 'DELETE /api/user-notifications',
    path: { id: 'notification_id' },
  },
  'GET /api/v1/token': { operation: 'GET /api/token' },
  'POST /api/v1/oidc/token': { operation: 'POST /api/oidc-token' },
  'GET /api/v1/site': { operation: 'GET /api/site' },
}

export const isInBody = (name: OperationName, field: string): boolean =>
  !((operations[name] as Operation).query?.properties ?? {})[field]
