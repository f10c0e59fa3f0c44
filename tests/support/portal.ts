import type { AdminUser } from '#contract/admin.ts'
import type { Config } from '#server/platform/config.ts'
import { createTestApp, type TestApp } from './app.ts'
import { makeMember, signIn } from './factories.ts'

type Headers = Record<string, string>

export interface JsonResponse<Body> {
  status: number
  body: Body
}

interface ActionBody {
  message: string
  error: string
  code: string
  fields: Record<string, string>
  user: AdminUser
  failed: { user_id: number; error: string }[]
}

export interface Portal extends TestApp {
  adminId: number
  admin: Headers
  /** Sends an action of the portal, by default as the first admin. */
  act(payload: object, headers?: Headers): Promise<JsonResponse<ActionBody>>
  /** Sends any request with a body. */
  send<Body = ActionBody>(call: string, payload: object, headers: Headers): Promise<JsonResponse<Body>>
  get<Body>(url: string, headers?: Headers): Promise<JsonResponse<Body>>
  /** Audit log entries about a member, newest first. */
  findAuditEntries(memberId: number): Promise<{ actor_id: number; action: string; before: unknown; after: unknown }[]>
  /** A member's notifications, newest first. */
  findNotifications(memberId: number): Promise<{ type: string; title: string; message: string; link: string | null }[]>
}

/** With the first admin. `site` is a site that a test has already created. */
export async function createPortal(settings: Partial<Config> = {}, site?: TestApp): Promise<Portal> {
  const created = site ?? (await createTestApp(settings))
  const { app, db } = created
  const adminId = await makeMember(db, { username: 'First Admin', is_admin: true })
  const admin = await signIn(db, adminId)
  const send: Portal['send'] = async (call, payload, headers) => {
    const [method, url] = call.split(' ') as ['POST' | 'PUT' | 'DELETE', string]
    const response = await app.inject({ method, url, headers, payload })
    return { status: response.statusCode, body: response.json() }
  }
  return {
    ...created,
    adminId,
    admin,
    send,
    act: (payload, headers = admin) => send('POST /api/admin-keys', payload, headers),
    get: async (url, headers = admin) => {
      const response = await app.inject({ url, headers })
      return { status: response.statusCode, body: response.json() }
    },
    findAuditEntries: (memberId) =>
      db
        .selectFrom('audit_log')
        .select(['actor_id', 'action', 'before', 'after'])
        .where('member_id', '=', memberId)
        .orderBy('id', 'desc')
        .execute(),
    findNotifications: (memberId) =>
      db
        .selectFrom('notifications')
        .select(['type', 'title', 'message', 'link'])
        .where('member_id', '=', memberId)
        .orderBy('id', 'desc')
        .execute(),
  }
}
