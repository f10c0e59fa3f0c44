import type { Database } from '#server/db/database.ts'
import type { Guards } from '#server/features/authorization/guards.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { changeSettings, getSettings } from './settings.ts'
import { deleteNotifications, type FindPrizes, listInbox, markRead } from './inbox.ts'
import type { InboxStreams } from './streams.ts'

export interface NotificationRoutesOptions {
  db: Database
  guards: Guards
  streams: InboxStreams
  findPrizes: FindPrizes
}

export function registerNotifications(app: App, { db, guards, streams, findPrizes }: NotificationRoutesOptions): void {
  serve(app, 'GET /api/user-notifications', guards.member, ({ caller }) => listInbox(db, caller.id, findPrizes))

  serve(app, 'POST /api/user-notifications', guards.member, ({ caller, body }) =>
    markRead(db, caller.id, { id: body.notification_id, isAll: body.mark_all_read }),
  )

  serve(app, 'DELETE /api/user-notifications', guards.member, ({ caller, query }) =>
    deleteNotifications(db, caller.id, query.notification_id),
  )

  serve(app, 'GET /api/notification-settings', guards.member, ({ caller }) => getSettings(db, caller.id))

  serve(app, 'PUT /api/notification-settings', guards.member, ({ caller, body }) => changeSettings(db, caller.id, body))

  serve(app, 'GET /api/notification-stream', guards.member, async ({ caller, request, reply }) => {
    reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    // HEAD only asks whether something is there: its answer would never end.
    if (request.method === 'HEAD') return reply.send()
    const isAlive = async () => (await guards.optionalMember(request)) !== undefined
    const stream = await streams.open({ memberId: caller.id, isAlive })
    // Who hung up meanwhile takes nothing any more, and no end of it would be heard.
    if (request.socket.destroyed) stream.body.destroy()
    return reply.send(stream.body)
  })

  // Before the server waits for its connections to end: these would not do so by themselves.
  app.addHook('preClose', () => streams.close())
}
