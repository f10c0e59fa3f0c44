import { useMemo } from 'react'
import type { BodyOf } from '#contract/operations.ts'
import { useApi } from '#web/lib/api-context.ts'

export type NewWebhook = BodyOf<'POST /api/webhooks'>
type Changes = BodyOf<'PUT /api/webhooks'>
type Sent = BodyOf<'POST /api/webhook-deliveries'>

export function useWebhookCalls(isSite: boolean) {
  const api = useApi()
  return useMemo(
    () => ({
      create: (body: NewWebhook) => api(isSite ? 'POST /api/site-webhooks' : 'POST /api/webhooks', { body }),
      change: (body: Changes) => api(isSite ? 'PUT /api/site-webhooks' : 'PUT /api/webhooks', { body }),
      remove: (id: number) => api(isSite ? 'DELETE /api/site-webhooks' : 'DELETE /api/webhooks', { query: { id } }),
      replaceSecret: (id: number) =>
        api(isSite ? 'POST /api/site-webhook-secret' : 'POST /api/webhook-secret', { body: { id } }),
      listDeliveries: (query: { id: number; before_id?: number }, signal: AbortSignal) =>
        api(isSite ? 'GET /api/site-webhook-deliveries' : 'GET /api/webhook-deliveries', { query, signal }),
      send: (body: Sent) =>
        api(isSite ? 'POST /api/site-webhook-deliveries' : 'POST /api/webhook-deliveries', { body }),
    }),
    [api, isSite],
  )
}
