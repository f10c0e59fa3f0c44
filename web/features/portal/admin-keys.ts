import type { AdminStats, AdminUser, CountedPage } from '#contract/admin.ts'
import type { QueryOf } from '#contract/operations.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'

// GET /api/admin-keys has two responses, chosen by `type`.

const unexpected = () => new ApiError(0, 'Unexpected response from the server.')

export async function readStats(api: Api, signal: AbortSignal): Promise<AdminStats> {
  const response = await api('GET /api/admin-keys', { query: { type: 'stats' }, signal })
  if (!('total_users' in response)) throw unexpected()
  return response
}

export interface UserPage {
  users: AdminUser[]
  pagination: CountedPage
}

export type UserQuery = Omit<Partial<QueryOf<'GET /api/admin-keys'>>, 'type'>

export async function readUsers(api: Api, query: UserQuery, signal: AbortSignal): Promise<UserPage> {
  const response = await api('GET /api/admin-keys', { query: { ...query, type: 'users' }, signal })
  if (!('users' in response)) throw unexpected()
  return response
}
