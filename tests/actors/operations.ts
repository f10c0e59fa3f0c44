import type { OperationName } from '#contract/operations.ts'
import {
  admins,
  everybody,
  invalidForAll,
  members,
  moderators,
  notFoundForAll,
  owner,
  type Statuses,
  writers,
  type Right,
} from './rights.ts'
import { STAFF_RIGHTS } from './staff-operations.ts'

const NEW_SCRIPT = { title: 'Made here', description: 'Text.', script_content: 'return 1' }

/** Members find their own collections only. */
const ownCollection: Statuses = { ...writers, member: 404, moderator: 404, admin: 404 }

/** Members find their own webhooks and trusted publishers only. */
const ownWebhook: Statuses = { ...members, member: 404, muted: 404, moderator: 404, admin: 404 }

/** Rights per operation, with a valid request about the owner's data. New operations must be added here. */
export const RIGHTS: Record<OperationName, Right> = {
  'GET /api/site': { expected: everybody },
  'GET /api/hold-settings': { expected: everybody },
  'GET /api/site-text': { expected: everybody, call: () => ({ query: { name: 'terms' } }) },
  'POST /api/page-errors': {
    expected: everybody,
    call: () => ({ payload: { page: 'root', build: 'entry.js', kind: 'text' } }),
  },
  'GET /api/setup': { expected: everybody },
  // The site has an admin.
  'POST /api/setup': { expected: notFoundForAll, call: () => ({ payload: { action: 'read', token: 'x' } }) },
  'GET /api/discord-auth': { expected: everybody },
  // Only for a browser whose sign-in was rejected because of a ban.
  'GET /api/sign-in-ban': { expected: notFoundForAll },
  'GET /api/user-profile': { expected: members },
  'DELETE /api/session': { expected: members },
  'GET /api/sessions': { expected: members },
  'DELETE /api/sessions': { expected: members, call: () => ({ query: { all: 'true' } }) },
  'GET /api/tokens': { expected: members },
  'POST /api/tokens': {
    expected: members,
    call: () => ({ payload: { name: 'deploy', scopes: ['scripts:write'], expires_in_days: 30 } }),
  },
  // None of the actors has a token with this id.
  'DELETE /api/tokens': {
    expected: { ...members, member: 404, owner: 404, muted: 404, moderator: 404, admin: 404 },
    call: () => ({ query: { id: '0198a1f2-0000-7000-8000-000000000000' } }),
  },
  // For API tokens only.
  'GET /api/token': { expected: { ...members, member: 400, owner: 400, muted: 400, moderator: 400, admin: 400 } },
  'GET /api/trusted-publishers': { expected: owner, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/trusted-publishers': {
    expected: owner,
    call: ({ scriptId }) => ({
      payload: { script_id: scriptId, forge: 'https://github.com', repository: 'owner/name', workflow: 'release.yml' },
    }),
  },
  'DELETE /api/trusted-publishers': {
    expected: ownWebhook,
    call: ({ publisherId }) => ({ query: { id: publisherId } }),
  },
  'GET /api/repository-source': { expected: owner, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'PUT /api/repository-source': {
    expected: owner,
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
    expected: ownWebhook,
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'POST /api/repository-secret': {
    expected: { ...ownWebhook, muted: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  'POST /api/repository-sync': {
    expected: { ...ownWebhook, muted: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  // The ID token is invalid.
  'POST /api/oidc-token': { expected: invalidForAll, call: () => ({ payload: { id_token: 'a.b.c' } }) },
  'GET /api/user-profiles': { expected: everybody, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/v1/members/{name}': { expected: everybody, call: ({ ownerId }) => ({ path: { name: ownerId } }) },
  'PUT /api/user-profiles': {
    expected: owner,
    call: ({ ownerId }) => ({ payload: { user_id: ownerId, bio: 'Hello.' } }),
  },
  'GET /api/account-data': { expected: members },
  'DELETE /api/account': {
    // The username must be the caller's own.
    expected: { ...members, member: 400, muted: 400, moderator: 400, admin: 400 },
    call: ({ ownerName }) => ({ payload: { username: ownerName } }),
  },
  'POST /api/media': { expected: writers, call: ({ image }) => ({ file: image }) },
  'GET /api/scripts': { expected: everybody },
  'GET /api/v1/scripts': { expected: everybody },
  'GET /api/own-ratings': { expected: members },
  'GET /api/script-facets': { expected: everybody },
  'GET /api/script-tags': { expected: everybody },
  'GET /api/related-scripts': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/opensearch-suggestions': { expected: everybody, call: () => ({ query: { q: 'scr' } }) },
  'GET /api/search-suggestions': { expected: everybody, call: () => ({ query: { q: 'scr' } }) },
  'GET /api/oembed': {
    expected: everybody,
    call: ({ scriptSlug }) => ({ query: { url: `http://localhost:3000/scripts/${scriptSlug}` } }),
  },
  'GET /feeds/scripts.atom': { expected: everybody },
  'GET /feeds/scripts.json': { expected: everybody },
  'GET /feeds/versions.atom': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /feeds/versions.json': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /feeds/giveaways.atom': { expected: everybody },
  'GET /feeds/giveaways.json': { expected: everybody },
  'GET /api/script-details-slug': { expected: everybody, call: ({ scriptSlug }) => ({ query: { slug: scriptSlug } }) },
  'GET /api/script-download': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-download': { expected: everybody, call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'POST /api/scripts': { expected: writers, call: () => ({ payload: NEW_SCRIPT }) },
  'PUT /api/script-details': {
    expected: owner,
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { title: 'Renamed' } }),
  },
  'DELETE /api/script-details': { expected: owner, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-versions': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-version': {
    expected: everybody,
    call: ({ scriptId }) => ({ query: { id: scriptId, number: 1 } }),
  },
  'GET /api/script-insights': {
    expected: owner,
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'GET /api/script-behavior': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/script-behavior-changes': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-check': { expected: members, call: () => ({ payload: { script_content: 'return 1' } }) },
  'PUT /api/script-versions': {
    expected: owner,
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { script_content: 'return 2' } }),
  },
  'POST /api/script-versions': {
    expected: owner,
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1 } }),
  },
  'POST /api/version-confirm': {
    // Nothing waits.
    expected: { ...owner, owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1 } }),
  },
  'POST /api/version-discard': {
    expected: { ...owner, owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, was_me: true } }),
  },
  'POST /api/version-withdraw': {
    // The author may, and so may the staff.
    expected: { ...owner, moderator: 200, admin: 200 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, reason: 'It breaks saved games.' } }),
  },
  'GET /api/v1/withdrawn': { expected: everybody },
  'GET /feeds/withdrawn.atom': { expected: everybody },
  'GET /feeds/withdrawn.json': { expected: everybody },
  'GET /api/script-update': {
    // No version has this code.
    expected: notFoundForAll,
    call: ({ scriptId }) => ({ query: { id: scriptId, from: '0'.repeat(64) } }),
  },
  'POST /api/version-release': {
    expected: { ...moderators, moderator: 409, admin: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, number: 1, reason: 'Checked.' } }),
  },
  'GET /api/script-rating': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/script-rating': {
    // Authors cannot rate their own scripts.
    expected: { ...writers, owner: 403 },
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { rating: 4 } }),
  },
  'DELETE /api/script-rating': {
    // None of the actors has rated the script.
    expected: { ...members, member: 404, owner: 404, muted: 404, moderator: 404, admin: 404 },
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'GET /api/works-votes': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/works-votes': {
    // Authors cannot vote on their own scripts.
    expected: { ...writers, owner: 403 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, version_number: 1, works: true } }),
  },
  'DELETE /api/works-votes': {
    // None of the actors has voted.
    expected: { ...members, member: 404, owner: 404, muted: 404, moderator: 404, admin: 404 },
    call: ({ scriptId }) => ({ query: { id: scriptId } }),
  },
  'PUT /api/rating-reply': {
    expected: owner,
    call: ({ ratingId }) => ({ payload: { rating_id: ratingId, reply: 'Thank you.' } }),
  },
  'GET /api/script-comments': { expected: everybody, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/comment-thread': { expected: everybody, call: ({ commentId }) => ({ query: { id: commentId } }) },
  'POST /api/script-comments': {
    expected: writers,
    call: ({ scriptId }) => ({ query: { id: scriptId }, payload: { text: 'A question.' } }),
  },
  // The comment is another member's.
  'PUT /api/script-comment': {
    expected: { ...owner, owner: 403 },
    call: ({ commentId }) => ({ query: { id: commentId }, payload: { text: 'Changed.' } }),
  },
  'DELETE /api/script-comment': {
    expected: { ...owner, owner: 403 },
    call: ({ commentId }) => ({ query: { id: commentId } }),
  },
  'PUT /api/comment-settings': {
    expected: { ...moderators, owner: 200 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, slow_seconds: 30 } }),
  },
  'PUT /api/helpful': {
    expected: writers,
    call: ({ commentId }) => ({ payload: { subject_type: 'comment', subject_id: commentId, is_helpful: true } }),
  },
  'GET /api/own-helpful': { expected: members, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'GET /api/favorites': { expected: members },
  'GET /api/favorite-scripts': { expected: members, call: ({ scriptId }) => ({ query: { ids: String(scriptId) } }) },
  'GET /api/favorites-export': { expected: members },
  'GET /api/script-favorite': { expected: members, call: ({ scriptId }) => ({ query: { id: scriptId } }) },
  'POST /api/favorites': { expected: members, call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'DELETE /api/favorites': { expected: members, call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'GET /api/collection': {
    expected: everybody,
    call: ({ collectionId }) => ({ query: { slug: `lamps-${collectionId}` } }),
  },
  'GET /api/collections': { expected: everybody, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/own-collections': { expected: members },
  'POST /api/collections': { expected: writers, call: () => ({ payload: { name: 'Made here', is_public: false } }) },
  'PUT /api/collections': {
    expected: ownCollection,
    call: ({ collectionId }) => ({ payload: { id: collectionId, name: 'Renamed' } }),
  },
  'DELETE /api/collections': {
    expected: { ...ownCollection, muted: 404 },
    call: ({ collectionId }) => ({ query: { id: collectionId } }),
  },
  'POST /api/collection-items': {
    expected: ownCollection,
    call: ({ collectionId, collectedId }) => ({ payload: { collection_id: collectionId, script_id: collectedId } }),
  },
  'PUT /api/collection-items': {
    expected: ownCollection,
    call: ({ collectionId, collectedId }) => ({
      payload: { collection_id: collectionId, script_id: collectedId, note: 'Bright.' },
    }),
  },
  'DELETE /api/collection-items': {
    expected: { ...ownCollection, muted: 404 },
    call: ({ collectionId, collectedId }) => ({ query: { collection_id: collectionId, script_id: collectedId } }),
  },
  'GET /api/blocks': { expected: members },
  'POST /api/blocks': {
    // Members cannot block themselves.
    expected: { ...members, owner: 409 },
    call: ({ ownerId }) => ({ payload: { user_id: ownerId } }),
  },
  'DELETE /api/blocks': { expected: members, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/follows': { expected: members, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'POST /api/follows': {
    // Members cannot follow themselves.
    expected: { ...members, owner: 409 },
    call: ({ ownerId }) => ({ payload: { user_id: ownerId } }),
  },
  'DELETE /api/follows': { expected: members, call: ({ ownerId }) => ({ query: { user_id: ownerId } }) },
  'GET /api/followed-authors': { expected: members },
  'GET /api/watches': { expected: members, call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'POST /api/watches': {
    // Authors cannot watch their own scripts.
    expected: { ...members, owner: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId } }),
  },
  'DELETE /api/watches': { expected: members, call: ({ scriptId }) => ({ query: { script_id: scriptId } }) },
  'GET /api/watched-scripts': { expected: members },
  'GET /api/profile-reputation': {
    expected: members,
    call: ({ ownerId }) => ({ query: { target_user_id: ownerId } }),
  },
  'POST /api/profile-reputation': {
    // Members cannot give points to themselves.
    expected: { ...members, owner: 403 },
    call: ({ ownerId }) => ({ payload: { target_user_id: ownerId } }),
  },
  ...STAFF_RIGHTS,
  'POST /api/reports': {
    // Members cannot report their own content.
    expected: { ...members, owner: 403 },
    call: ({ scriptId }) => ({ payload: { subject_type: 'script', subject_id: scriptId, reason: 'spam' } }),
  },
  'GET /api/reports': { expected: moderators },
  'PUT /api/reports': { expected: moderators, call: ({ caseId }) => ({ payload: { id: caseId, action: 'claim' } }) },
  'GET /api/own-cases': { expected: members },
  'POST /api/appeals': {
    // Other members cannot see the decision.
    expected: { ...members, member: 404, muted: 404, moderator: 404, admin: 404 },
    call: ({ decidedCaseId }) => ({ payload: { case_id: decidedCaseId, text: 'It was not loud.' } }),
  },
  'GET /api/webhooks': { expected: members },
  'POST /api/webhooks': {
    expected: members,
    call: () => ({ payload: { url: 'https://example.com/hook', events: ['review.posted'] } }),
  },
  'PUT /api/webhooks': {
    expected: ownWebhook,
    call: ({ webhookId }) => ({ payload: { id: webhookId, is_enabled: true } }),
  },
  'DELETE /api/webhooks': { expected: ownWebhook, call: ({ webhookId }) => ({ query: { id: webhookId } }) },
  'POST /api/webhook-secret': { expected: ownWebhook, call: ({ webhookId }) => ({ payload: { id: webhookId } }) },
  'GET /api/webhook-deliveries': { expected: ownWebhook, call: ({ webhookId }) => ({ query: { id: webhookId } }) },
  'POST /api/webhook-deliveries': {
    expected: ownWebhook,
    call: ({ deliveryId }) => ({ payload: { action: 'send_again', delivery_id: deliveryId } }),
  },
  'GET /api/email-settings': { expected: members },
  'PUT /api/email-settings': { expected: members, call: () => ({ payload: { digest: 'daily' } }) },
  'PUT /api/email-address': {
    expected: members,
    call: ({ actorId }) => ({ payload: { address: `member${actorId}@example.com` } }),
  },
  'DELETE /api/email-address': { expected: members },
  'GET /api/user-notifications': { expected: members },
  'POST /api/user-notifications': {
    expected: members,
    call: () => ({ payload: { action: 'mark_read', mark_all_read: true } }),
  },
  'DELETE /api/user-notifications': { expected: members },
  'GET /api/notification-stream': { expected: members },
  'GET /api/giveaways': { expected: admins, call: () => ({ query: { admin: 'true' } }) },
  'POST /api/giveaways': {
    expected: members,
    call: ({ giveawayId }) => ({ payload: { action: 'enter', giveaway_id: giveawayId } }),
  },
  'PUT /api/giveaways': {
    expected: admins,
    call: ({ giveawayId }) => ({ payload: { id: giveawayId, title: 'Renamed' } }),
  },
  'DELETE /api/giveaways': { expected: admins, call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'GET /api/giveaway-prizes': { expected: admins, call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'GET /api/giveaway-draw': { expected: everybody, call: ({ giveawayId }) => ({ query: { id: giveawayId } }) },
  'POST /api/showcases': { expected: admins, call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'PUT /api/showcases': {
    // The script is not a showcase.
    expected: { ...admins, admin: 409 },
    call: ({ scriptId }) => ({ payload: { script_id: scriptId, showcase_notes: 'See.' } }),
  },
  'DELETE /api/showcases': { expected: admins, call: ({ scriptId }) => ({ payload: { script_id: scriptId } }) },
  'GET /api/notification-settings': { expected: members },
  'PUT /api/notification-settings': { expected: members, call: () => ({ payload: { reviews: false } }) },
}
