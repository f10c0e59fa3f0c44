import type { OperationName } from '#contract/operations.ts'
import { DEFAULT_BRANDING } from '#server/features/site/branding.ts'
import { admins, moderators, type Right } from './rights.ts'

/** What the staff does. */
export const STAFF_RIGHTS = {
  'GET /api/admin-keys': { expected: admins, call: () => ({ query: { type: 'users' } }) },
  'POST /api/admin-keys': {
    expected: admins,
    call: ({ ownerId }) => ({ payload: { action: 'mute_user', user_id: ownerId, reason: 'Too loud.' } }),
  },
  'GET /api/admin-user': { expected: admins, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/person-bans': { expected: admins },
  'GET /api/admin-scripts': { expected: admins },
  'GET /api/audit-log': { expected: admins },
  'GET /api/behavior-stats': { expected: moderators },
  'GET /api/behavior-hosts': { expected: moderators },
  'PUT /api/behavior-hosts': {
    // No script contacts it.
    expected: { ...moderators, moderator: 404, admin: 404 },
    call: () => ({ payload: { host: 'example.com', kind: 'known' } }),
  },
  'GET /api/held-versions': { expected: moderators },
  'PUT /api/hold-settings': { expected: admins, call: () => ({ payload: { hold_hours: 24 } }) },
  'GET /api/jobs': { expected: admins },
  'POST /api/jobs': {
    // No such job.
    expected: { ...admins, admin: 404 },
    call: () => ({ payload: { action: 'delete', ids: ['0198a1f2-0000-7000-8000-000000000000'] } }),
  },
  'GET /api/branding': { expected: admins },
  'PUT /api/branding': { expected: admins, call: () => ({ payload: { version: 0, ...DEFAULT_BRANDING } }) },
  'POST /api/moderation': {
    expected: moderators,
    call: ({ ratingId }) => ({
      payload: { action: 'hide', subject_type: 'review', subject_id: ratingId, reason: 'Too loud.' },
    }),
  },
  'GET /api/site-webhooks': { expected: admins },
  'POST /api/site-webhooks': {
    expected: admins,
    call: () => ({ payload: { url: 'https://example.com/hook', events: ['review.posted'] } }),
  },
  'PUT /api/site-webhooks': {
    expected: admins,
    call: ({ siteWebhookId }) => ({ payload: { id: siteWebhookId, is_enabled: true } }),
  },
  'DELETE /api/site-webhooks': { expected: admins, call: ({ siteWebhookId }) => ({ query: { id: siteWebhookId } }) },
  'POST /api/site-webhook-secret': {
    expected: admins,
    call: ({ siteWebhookId }) => ({ payload: { id: siteWebhookId } }),
  },
  'GET /api/site-webhook-deliveries': {
    expected: admins,
    call: ({ siteWebhookId }) => ({ query: { id: siteWebhookId } }),
  },
  'POST /api/site-webhook-deliveries': {
    expected: admins,
    call: ({ siteDeliveryId }) => ({ payload: { action: 'send_again', delivery_id: siteDeliveryId } }),
  },
} satisfies Partial<Record<OperationName, Right>>
