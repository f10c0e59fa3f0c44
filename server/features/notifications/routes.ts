import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { deleteNotifications, type FindPrizes, listInbox, markRead } from './inbox.ts'
import { changeSettings, getSettings } from './settings.ts'
import type { InboxStreams } from './streams.ts'

export interface NotificationRoutesOptions {
  db: Database
  streams: InboxStreams
  findPrizes: FindPrizes
}

export function registerNotifications(app: App, { db, streams, findPrizes }: NotificationRoutesOptions): void {
  serve(app, 'GET /api/user-notifications', ({ query, caller }) =>
    // A prize has a value: programs do not get it.
    listInbox(db, caller.id, query, caller.isToken ? async () => new Map() : findPrizes),
  )

  serve(app, 'POST /api/user-notifications', ({ caller, body }) =>
    markRead(db, caller.id, { id: body.notification_id, isAll: body.mark_all_read }),
  )

  serve(app, 'DELETE /api/user-notifications', ({ caller, query }) =>
    deleteNotifications(db, caller.id, query.notification_id),
  )

  serve(app, 'GET /api/notification-settings', ({ caller }) => getSettings(db, caller.id))

  serve(app, 'PUT /api/notification-settings', ({ caller, body }) => changeSettings(db, caller.id, body))

  serve(app, 'GET /api/notification-stream', async ({ caller, request, reply }) => {
    reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    // The response to HEAD must end.
    if (request.method === 'HEAD') return reply.send()
    const isAlive = async () => (await app.guards.optionalMember(request)) !== undefined
    const stream = await streams.open({ memberId: caller.id, isAlive })
    // If the client has disconnected already, no close event follows.
    if (request.socket.destroyed) stream.body.destroy()
    return reply.send(stream.body)
  })

  // In preClose, because the server then waits for all connections to end.
  app.addHook('preClose', () => streams.close())
}
