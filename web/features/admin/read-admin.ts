import type { AdminActionBody, AdminActionName, AdminStats, AdminUser, CountedPage } from '#contract/admin.ts'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'

export interface UserPage {
  users: AdminUser[]
  pagination: CountedPage
}

// One call answers both, by its `type`.
const unexpected = () => new ApiError(0, 'The answer was not what was asked for.')

export async function readStats(api: Api, signal: AbortSignal): Promise<AdminStats> {
  const answer = await api('GET /api/admin-keys', { query: { type: 'stats' }, signal })
  if (!('total_users' in answer)) throw unexpected()
  return answer
}

export type UserQuery = Omit<Partial<QueryOf<'GET /api/admin-keys'>>, 'type'>

export async function readUsers(api: Api, query: UserQuery, signal: AbortSignal): Promise<UserPage> {
  const answer = await api('GET /api/admin-keys', { query: { ...query, type: 'users' }, signal })
  if (!('users' in answer)) throw unexpected()
  return answer
}

/** One deed of the portal; each has a body of its own. */
export function act<Name extends AdminActionName>(api: Api, body: AdminActionBody<Name>) {
  return api.request<ResultOf<'POST /api/admin-keys'>>('POST', '/admin-keys', { body })
}
