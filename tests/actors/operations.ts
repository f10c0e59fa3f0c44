import { type OperationName, operations } from '#contract/operations.ts'
import { DEFAULT_BRANDING } from '#server/features/site/branding.ts'
import { forAll, forMembers, forOthers, forVisitors } from './rights.ts'
import type { Sample } from './sample.ts'

const NEW_SCRIPT = { title: 'Made here', description: 'Text.', script_content: 'return 1' }

/** A valid request about the owner's data for each operation. New operations must be added here. */
export const SAMPLES: Record<OperationName, Sample> = {
  'GET /api/site': {},
  'GET /api/hold-settings': {},
  'GET /api/site-text': { call: () => ({ query: { name: 'terms' } }) },
  'POST /api/page-errors': {
    call: () => ({ payload: { page: 'root', build: 'entry.js', kind: 'text' } }),
  },
  'GET /api/setup': {},
  // The site has an admin.
  'POST /api/setup': { except: forAll(404), call: () => ({ payload: { action: 'read', token: 'x' } }) },
  'GET /api/discord-auth': {},
  // Only for a browser whose sign-in was rejected because of a ban.
  'GET /api/sign-in-ban': { except: forAll(404) },
  'GET /api/user-profile': { except: forVisitors(401) },
  'DELETE /api/session': {},
  'GET /api/sessions': {},
  'DELETE /api/sessions': { call: () => ({ query: { all: 'true' } }) },
  'GET /api/tokens': {},
  'POST /api/tokens': {
    call: () => ({ payload: { name: 'deploy', scopes: ['scripts:write'], expires_in_days: 30 } }),
  },
  // None of the actors has a token with this id.
  'DELETE /api/tokens': {
    except: forMembers(404),
    call: () => ({ query: { id: '0198a1f2-0000-7000-8000-000000000000' } }),
  },
  // For API tokens only.
  'GET /api/token': { except: forMembers(400) },
  'GET /api/trusted-publishers': { except: forOthers(403), call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/trusted-publishers': {
    except: forOthers(403),
    call: ({ scriptId }) => ({
      payload: { script_id: scriptId, forge: 'https://github.com', repository: 'owner/name', workflow: 'release.yml' },
    }),
  },
  'DELETE /api/trusted-publishers': {
    except: forOthers(404),
    call: ({ publisherId }) => ({ query: { id: publisherId } }),
  },
  'PUT /api/only-builds': { except: forOthers(403), call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'DELETE /api/only-builds': { except: forOthers(403), call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/repository-source': { except: forOthers(403), call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'PUT /api/repository-source': {
    except: forOthers(403),
    call: ({ scriptId }) => ({
      payload: {
        script_id: scriptId,
        forge: 'https://github.com',
        repository: 'owner/name',
        branch: 'main',
        pattern: 'lamp.luau',
      },
    }),
  },
  'DELETE /api/repository-source': {
    except: forOthers(404),
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'POST /api/repository-secret': {
    except: { ...forOthers(404), muted: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  'POST /api/repository-sync': {
    except: forOthers(404),
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  // The ID token is invalid.
  'POST /api/oidc-token': { except: forAll(400), call: () => ({ payload: { id_token: 'a.b.c' } }) },
  'GET /api/user-profiles': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/v1/members/{name}': { call: ({ ownerId }) => ({ path: { name: ownerId } }) },
  'PUT /api/user-profiles': {
    except: forOthers(403),
    call: ({ ownerId }) => ({ payload: { user_id: ownerId, bio: 'Hello.' } }),
  },
  'GET /api/account-data': {},
  'DELETE /api/account': {
    // The username must be the caller's own.
    except: forOthers(400),
    call: ({ ownerName }) => ({ payload: { username: ownerName } }),
  },
  'POST /api/media': { call: ({ image }) => ({ file: image }) },
  'GET /api/scripts': {},
  'GET /api/v1/scripts': {},
  'GET /api/own-ratings': {},
  'GET /api/script-facets': {},
  // No public script is made for a game.
  'GET /api/game': { except: forAll(404), call: () => ({ query: { id: '1' } }) },
  'PUT /api/game': { except: forMembers(404), call: () => ({ payload: { id: '1', name: 'Lamp world' } }) },
  'GET /api/script-tags': {},
  'GET /api/related-scripts': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/opensearch-suggestions': { call: () => ({ query: { q: 'scr' } }) },
  'GET /api/search-suggestions': { call: () => ({ query: { q: 'scr' } }) },
  'GET /api/oembed': {
    call: ({ scriptSlug }) => ({ query: { url: `http://localhost:3000/scripts/${scriptSlug}` } }),
  },
  'GET /feeds/scripts.atom': {},
  'GET /feeds/scripts.json': {},
  'GET /feeds/versions.atom': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /feeds/versions.json': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /feeds/giveaways.atom': {},
  'GET /feeds/giveaways.json': {},
  'GET /api/script-details-slug': { call: ({ scriptSlug }) => ({ query: { slug: scriptSlug } }) },
  'GET /api/script-download': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-download': { call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'POST /api/scripts': { call: () => ({ payload: NEW_SCRIPT }) },
  'GET /api/drafts': {},
  'GET /api/draft': { except: forMembers(404), call: () => ({ query: { key: 'a'.repeat(32) } }) },
  'PUT /api/draft': { call: () => ({ payload: { key: 'b'.repeat(32), content: { values: {} } } }) },
  'DELETE /api/draft': { call: () => ({ query: { key: 'a'.repeat(32) } }) },
  'PUT /api/script-details': {
    except: forOthers(403),
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { title: 'Renamed' } }),
  },
  'DELETE /api/script-details': { except: forOthers(403), call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-versions': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-version': {
    call: ({ scriptId }) => ({ query: { id: scriptId, number: 1 } }),
  },
  'GET /api/script-insights': {
    except: forOthers(403),
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'GET /api/script-behavior': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-behavior-changes': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-check': { call: () => ({ payload: { script_content: 'return 1' } }) },
  'PUT /api/script-versions': {
    except: forOthers(403),
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { script_content: 'return 2' } }),
  },
  'POST /api/script-versions': {
    except: forOthers(403),
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1 } }),
  },
  'POST /api/version-confirm': {
    // Nothing waits.
    except: { ...forOthers(403), owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1 } }),
  },
  'POST /api/version-discard': {
    except: { ...forOthers(403), owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, was_me: true } }),
  },
  'POST /api/version-withdraw': {
    // The author may, and so may the staff.
    except: { member: 403, muted: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, reason: 'It breaks saved games.' } }),
  },
  'GET /api/v1/withdrawn': {},
  'GET /feeds/withdrawn.atom': {},
  'GET /feeds/withdrawn.json': {},
  'GET /api/script-update': {
    // No version has this code.
    except: forAll(404),
    call: ({ scriptId }) => ({ query: { id: scriptId, from: '0'.repeat(64) } }),
  },
  'POST /api/version-release': {
    except: { moderator: 409, admin: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, reason: 'Checked.' } }),
  },
  'GET /api/script-rating': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-rating': {
    // Authors cannot rate their own scripts.
    except: { owner: 403 },
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { rating: 4 } }),
  },
  'DELETE /api/script-rating': {
    // None of the actors has rated the script.
    except: forMembers(404),
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'GET /api/works-votes': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/works-votes': {
    // Authors cannot vote on their own scripts.
    except: { owner: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, version_number: 1, works: true } }),
  },
  'DELETE /api/works-votes': {
    // None of the actors has voted.
    except: forMembers(404),
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'PUT /api/rating-reply': {
    except: forOthers(403),
    call: ({ ratingId }) => ({ payload: { rating_id: ratingId, reply: 'Thank you.' } }),
  },
  'GET /api/script-comments': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/comment-thread': { call: ({ commentId }) => ({ query: { id: commentId } }) },
  'POST /api/script-comments': {
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { text: 'A question.' } }),
  },
  // The comment is another member's.
  'PUT /api/script-comment': {
    except: forMembers(403),
    call: ({ commentId }) => ({ query: { id: commentId }, payload: { text: 'Changed.' } }),
  },
  'DELETE /api/script-comment': {
    except: forMembers(403),
    call: ({ commentId }) => ({ query: { id: commentId } }),
  },
  'PUT /api/comment-settings': {
    except: { ...forOthers(403), moderator: 200, admin: 200 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, slow_seconds: 30 } }),
  },
  'PUT /api/helpful': {
    call: ({ commentId }) => ({ payload: { subject_type: 'comment', subject_id: commentId, is_helpful: true } }),
  },
  'GET /api/own-helpful': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/favorites': {},
  'GET /api/favorite-scripts': { call: ({ scriptId }) => ({ query: { ids: String(scriptId) } }) },
  'GET /api/favorites-export': {},
  'GET /api/script-favorite': { call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/favorites': { call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'DELETE /api/favorites': { call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'GET /api/collection': {
    call: ({ collectionId }) => ({ query: { slug: `lamps-${collectionId}` } }),
  },
  'GET /api/collections': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/own-collections': {},
  'POST /api/collections': { call: () => ({ payload: { name: 'Made here', is_public: false } }) },
  'PUT /api/collections': {
    except: forOthers(404),
    call: ({ collectionId }) => ({ payload: { id: collectionId, name: 'Renamed' } }),
  },
  'DELETE /api/collections': {
    except: forOthers(404),
    call: ({ collectionId }) => ({ query: { id: collectionId } }),
  },
  'POST /api/collection-items': {
    except: forOthers(404),
    call: ({ collectionId, collectedId }) => ({ payload: { collection_id: collectionId, script_id: collectedId } }),
  },
  'PUT /api/collection-items': {
    except: forOthers(404),
    call: ({ collectionId, collectedId }) => ({
      payload: { collection_id: collectionId, script_id: collectedId, note: 'Bright.' },
    }),
  },
  'DELETE /api/collection-items': {
    except: forOthers(404),
    call: ({ collectionId, collectedId }) => ({ query: { collection_id: collectionId, script_id: collectedId } }),
  },
  'GET /api/blocks': {},
  'POST /api/blocks': {
    // Members cannot block themselves.
    except: { owner: 409 },
    call: ({ ownerId }) => ({ payload: { user_id: ownerId } }),
  },
  'DELETE /api/blocks': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/follows': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'POST /api/follows': {
    // Members cannot follow themselves.
    except: { owner: 409 },
    call: ({ ownerId }) => ({ payload: { user_id: ownerId } }),
  },
  'DELETE /api/follows': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/followed-authors': {},
  'GET /api/watches': { call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'POST /api/watches': {
    // Authors cannot watch their own scripts.
    except: { owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  'DELETE /api/watches': { call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'GET /api/watched-scripts': {},
  'GET /api/profile-reputation': {
    call: ({ ownerId }) => ({ query: { target_user_id: ownerId } }),
  },
  'POST /api/profile-reputation': {
    // Members cannot give points to themselves.
    except: { owner: 403 },
    call: ({ ownerId }) => ({ payload: { target_user_id: ownerId } }),
  },
  'GET /api/admin-keys': { call: () => ({ query: { type: 'users' } }) },
  'POST /api/admin-keys': {
    call: ({ ownerId }) => ({ payload: { action: 'mute_user', user_id: ownerId, reason: 'Too loud.' } }),
  },
  'GET /api/admin-user': { call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/person-bans': {},
  'GET /api/admin-scripts': {},
  'GET /api/audit-log': {},
  'GET /api/behavior-stats': {},
  'GET /api/behavior-hosts': {},
  'PUT /api/behavior-hosts': {
    // No script contacts it.
    except: forOthers(404),
    call: () => ({ payload: { host: 'example.com', kind: 'known' } }),
  },
  'GET /api/held-versions': {},
  'PUT /api/hold-settings': { call: () => ({ payload: { hold_hours: 24 } }) },
  'GET /api/jobs': {},
  'POST /api/jobs': {
    // No such job.
    except: forOthers(404),
    call: () => ({ payload: { action: 'delete', ids: ['0198a1f2-0000-7000-8000-000000000000'] } }),
  },
  'GET /api/branding': {},
  'PUT /api/branding': { call: () => ({ payload: { version: 0, ...DEFAULT_BRANDING } }) },
  'POST /api/reports': {
    // Members cannot report their own content.
    except: { owner: 403 },
    call: ({ scriptId }) => ({ payload: { subject_type: 'script', subject_id: scriptId, reason: 'spam' } }),
  },
  'GET /api/reports': {},
  'GET /api/open-work': {},
  'PUT /api/reports': { call: ({ caseId }) => ({ payload: { id: caseId, action: 'claim' } }) },
  'GET /api/own-cases': {},
  'POST /api/appeals': {
    // Other members cannot see the decision.
    except: forOthers(404),
    call: ({ decidedCaseId }) => ({ payload: { case_id: decidedCaseId, text: 'It was not loud.' } }),
  },
  'POST /api/moderation': {
    call: ({ ratingId }) => ({
      payload: { action: 'hide', subject_type: 'review', subject_id: ratingId, reason: 'Too loud.' },
    }),
  },
  'GET /api/webhooks': {},
  'POST /api/webhooks': {
    call: () => ({ payload: { url: 'https://example.com/hook', events: ['review.posted'] } }),
  },
  'PUT /api/webhooks': {
    except: forOthers(404),
    call: ({ webhookId }) => ({ payload: { id: webhookId, is_enabled: true } }),
  },
  'DELETE /api/webhooks': { except: forOthers(404), call: ({ webhookId }) => ({ query: { id: webhookId } }) },
  'POST /api/webhook-secret': { except: forOthers(404), call: ({ webhookId }) => ({ payload: { id: webhookId } }) },
  'GET /api/webhook-deliveries': { except: forOthers(404), call: ({ webhookId }) => ({ query: { id: webhookId } }) },
  'POST /api/webhook-deliveries': {
    except: forOthers(404),
    call: ({ deliveryId }) => ({ payload: { action: 'send_again', delivery_id: deliveryId } }),
  },
  'GET /api/site-webhooks': {},
  'POST /api/site-webhooks': {
    call: () => ({ payload: { url: 'https://example.com/hook', events: ['review.posted'] } }),
  },
  'PUT /api/site-webhooks': {
    call: ({ siteWebhookId }) => ({ payload: { id: siteWebhookId, is_enabled: true } }),
  },
  'DELETE /api/site-webhooks': { call: ({ siteWebhookId }) => ({ query: { id: siteWebhookId } }) },
  'POST /api/site-webhook-secret': {
    call: ({ siteWebhookId }) => ({ payload: { id: siteWebhookId } }),
  },
  'GET /api/site-webhook-deliveries': {
    call: ({ siteWebhookId }) => ({ query: { id: siteWebhookId } }),
  },
  'POST /api/site-webhook-deliveries': {
    call: ({ siteDeliveryId }) => ({ payload: { action: 'send_again', delivery_id: siteDeliveryId } }),
  },
  'GET /api/email-settings': {},
  'PUT /api/email-settings': { call: () => ({ payload: { digest: 'daily' } }) },
  'PUT /api/email-address': {
    call: ({ actorId }) => ({ payload: { address: `member${actorId}@example.com` } }),
  },
  'DELETE /api/email-address': {},
  'GET /api/user-notifications': {},
  'POST /api/user-notifications': {
    call: () => ({ payload: { action: 'mark_read', mark_all_read: true } }),
  },
  'DELETE /api/user-notifications': {},
  'GET /api/notification-stream': {},
  'GET /api/giveaways': {
    access: operations['GET /api/giveaways'].accessWith({ admin: 'true' }),
    call: () => ({ query: { admin: 'true' } }),
  },
  'POST /api/giveaways': {
    call: ({ giveawayId }) => ({ payload: { action: 'enter', giveaway_id: giveawayId } }),
  },
  'PUT /api/giveaways': {
    call: ({ giveawayId }) => ({ payload: { id: giveawayId, title: 'Renamed' } }),
  },
  'DELETE /api/giveaways': { call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'GET /api/giveaway-prizes': { call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'GET /api/giveaway-draw': { call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'POST /api/showcases': { call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'PUT /api/showcases': {
    // The script is not a showcase.
    except: { admin: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, showcase_notes: 'See.' } }),
  },
  'DELETE /api/showcases': { call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'GET /api/notification-settings': {},
  'PUT /api/notification-settings': { call: () => ({ payload: { reviews: false } }) },
}
