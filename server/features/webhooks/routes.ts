import type { Caller } from '#server/platform/authorization/guards.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  type Manager,
  rotateSecret,
  sendNow,
  type WebhooksOptions,
} from './webhooks.ts'

export function registerWebhooks(app: App, options: WebhooksOptions): void {
  const register = (isSite: boolean) => {
    const by = ({ id }: Caller): Manager => ({ callerId: id, isSite })
    const deleted = { message: 'The webhook was deleted.' }

    serve(app, isSite ? 'GET /api/site-webhooks' : 'GET /api/webhooks', async ({ caller }) => ({
      webhooks: await listWebhooks(options, by(caller)),
    }))
    serve(app, isSite ? 'POST /api/site-webhooks' : 'POST /api/webhooks', ({ caller, body, reply }) => {
      reply.code(201)
      return createWebhook(options, by(caller), body)
    })
    serve(app, isSite ? 'PUT /api/site-webhooks' : 'PUT /api/webhooks', async ({ caller, body }) => ({
      webhook: await changeWebhook(options, by(caller), body),
    }))
    serve(app, isSite ? 'DELETE /api/site-webhooks' : 'DELETE /api/webhooks', async ({ caller, query }) => {
      await deleteWebhook(options, by(caller), query.id)
      return deleted
    })
    serve(app, isSite ? 'POST /api/site-webhook-secret' : 'POST /api/webhook-secret', ({ caller, body }) =>
      rotateSecret(options, by(caller), body.id),
    )
    serve(app, isSite ? 'GET /api/site-webhook-deliveries' : 'GET /api/webhook-deliveries', ({ caller, query }) =>
      listDeliveries(options, by(caller), query),
    )
    serve(
      app,
      isSite ? 'POST /api/site-webhook-deliveries' : 'POST /api/webhook-deliveries',
      async ({ caller, body, reply }) => {
        reply.code(202)
        return { delivery: await sendNow(options, by(caller), body) }
      },
    )
  }
  register(false)
  register(true)
}
