import { sql } from 'kysely'
import { mediaPath } from '#server/platform/media/store.ts'
import type { Row, Section } from './export-data.ts'

export interface SectionsOptions {
  openPrize: (sealed: Buffer) => string
  openWebhookUrl: (sealed: Buffer) => string
}

/** Versions per query: each can have up to 1 MB of code. */
const VERSIONS_PER_PAGE = 4

const PERSON_EXPLANATION =
  'Your votes, points, giveaway entries, reports and sanctions reference this id. If you delete your account, a keyed hash of your Discord ID stays with them.'

const withImagePaths =
  (...columns: string[]) =>
  (row: Row): Row => {
    const paths = columns.map((column) => {
      const hash = row[column]
      return [column, typeof hash === 'string' ? mediaPath(hash, 'full') : null]
    })
    return { ...row, ...Object.fromEntries(paths) }
  }

const ofOwnScripts = (memberId: number) =>
  sql<boolean>`t.script_id in (select id from scripts where author_id = ${memberId})`

/** Omits notes of admins and actions of others: a rating that the member received belongs to the rater. */
export const exportSections = ({ openPrize, openWebhookUrl }: SectionsOptions): Section[] => [
  {
    name: 'profile',
    table: 'members',
    columns: ['id'],
    key: ['id'],
    exclude: ['notes', 'search_key'],
    transform: withImagePaths('profile_image', 'banner_image'),
    isSingle: true,
  },
  {
    name: 'person',
    table: 'persons',
    columns: ['member_id'],
    key: ['id'],
    exclude: ['notes'],
    extra: sql`jsonb_build_object('explanation', ${PERSON_EXPLANATION}::text)`,
    isSingle: true,
  },
  {
    name: 'sessions',
    table: 'sessions',
    columns: ['member_id'],
    key: ['token_hash'],
    exclude: ['token_hash', 'sign_in_hash', 'browser_hash'],
  },
  { name: 'api_tokens', table: 'api_tokens', columns: ['member_id'], key: ['id'], exclude: ['token_hash'] },
  {
    name: 'sign_ins_under_way',
    table: 'login_tokens',
    columns: ['member_id'],
    key: ['token_hash'],
    exclude: ['token_hash', 'browser_hash'],
  },
  {
    name: 'refused_sign_ins',
    table: 'rejected_sign_ins',
    columns: ['member_id'],
    key: ['browser_hash'],
    exclude: ['browser_hash'],
  },
  {
    name: 'scripts',
    table: 'scripts',
    columns: ['author_id'],
    key: ['id'],
    exclude: ['title_key'],
    extra: sql`jsonb_build_object(
      'tags', array(select g.name from script_tags x join tags g on g.id = x.tag_id where x.script_id = t.id
        order by x.position),
      'stats', (select to_jsonb(st) - 'script_id' from script_stats st where st.script_id = t.id))`,
    transform: withImagePaths('image'),
  },
  {
    name: 'script_versions',
    table: 'script_versions',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id', 'number'],
    pageSize: VERSIONS_PER_PAGE,
  },
  { name: 'drafts', table: 'drafts', columns: ['member_id'], key: ['key'], pageSize: VERSIONS_PER_PAGE },
  { name: 'withdrawals', table: 'withdrawals', columns: [], condition: ofOwnScripts, key: ['id'] },
  {
    name: 'repositories',
    table: 'repository_connections',
    columns: ['owner_id'],
    key: ['id'],
    // The URL of the webhook contains the key.
    exclude: ['key', 'sealed_secret'],
  },
  {
    name: 'repository_sources',
    table: 'repository_sources',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id'],
  },
  { name: 'repository_updates', table: 'repository_syncs', columns: [], condition: ofOwnScripts, key: ['id'] },
  {
    name: 'trusted_publishers',
    table: 'trusted_publishers',
    columns: [],
    condition: ofOwnScripts,
    key: ['id'],
  },
  {
    name: 'script_screenshots',
    table: 'script_screenshots',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id', 'position'],
    transform: withImagePaths('image'),
  },
  {
    name: 'script_days',
    table: 'script_days',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id', 'day', 'version_number'],
  },
  {
    name: 'script_referrers',
    table: 'script_referrers',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id', 'day', 'host'],
  },
  {
    name: 'upload_usage',
    table: 'upload_usage',
    columns: [],
    condition: (memberId) => sql<boolean>`t.person_id = (select id from persons where member_id = ${memberId})`,
    key: ['day'],
    exclude: ['person_id'],
  },
  { name: 'publish_keys', table: 'publish_keys', columns: ['member_id'], key: ['key'], exclude: ['body_sha256'] },
  { name: 'ratings', table: 'ratings', columns: ['member_id'], key: ['id'] },
  { name: 'works_votes', table: 'works_votes', columns: ['member_id'], key: ['id'] },
  {
    name: 'replies_to_reviews',
    table: 'ratings',
    columns: [],
    condition: (memberId) => sql<boolean>`t.reply is not null and ${ofOwnScripts(memberId)}`,
    key: ['id'],
    include: ['script_id', 'reply', 'replied_at'],
  },
  { name: 'favorites', table: 'favorites', columns: ['member_id'], key: ['script_id'] },
  {
    name: 'collections',
    table: 'collections',
    columns: ['owner_id'],
    key: ['id'],
    extra: sql`jsonb_build_object('items', array(
      select to_jsonb(i) - 'collection_id' from collection_items i where i.collection_id = t.id order by i.position))`,
    pageSize: 10,
  },
  { name: 'follows', table: 'follows', columns: ['follower_id'], key: ['author_id'] },
  { name: 'follower_count', table: 'follower_counts', columns: ['member_id'], key: ['member_id'], isSingle: true },
  { name: 'watches', table: 'watches', columns: ['member_id'], key: ['script_id'] },
  { name: 'blocks', table: 'blocks', columns: ['blocker_id'], key: ['blocked_id'] },
  { name: 'comments', table: 'comments', columns: ['author_id'], key: ['id'], exclude: ['mentions'] },
  { name: 'comments_found_helpful', table: 'comment_votes', columns: ['member_id'], key: ['comment_id'] },
  { name: 'reviews_found_helpful', table: 'rating_votes', columns: ['member_id'], key: ['rating_id'] },
  {
    name: 'comment_settings',
    table: 'comment_settings',
    columns: [],
    condition: ofOwnScripts,
    key: ['script_id'],
  },
  {
    name: 'reputation_received',
    table: 'reputation_ledger',
    columns: ['receiver_id'],
    key: ['id'],
    exclude: ['giver_id'],
  },
  { name: 'reputation_given', table: 'reputation_ledger', columns: ['giver_id'], key: ['id'] },
  {
    name: 'notifications',
    table: 'notifications',
    columns: ['member_id'],
    key: ['id'],
    exclude: ['actor_id', 'actors', 'group_key'],
  },
  {
    name: 'webhooks',
    table: 'webhooks',
    columns: ['owner_id'],
    key: ['id'],
    exclude: ['sealed_url', 'sealed_secret', 'sealed_former_secret'],
    raw: 'sealed_url',
    transform: (row, sealed) => ({ ...row, url: Buffer.isBuffer(sealed) ? openWebhookUrl(sealed) : null }),
  },
  {
    name: 'webhook_deliveries',
    table: 'webhook_deliveries',
    columns: [],
    condition: (memberId) => sql<boolean>`t.webhook_id in (select id from webhooks where owner_id = ${memberId})`,
    key: ['id'],
  },
  { name: 'webhook_events_about_own_actions', table: 'webhook_events', columns: ['actor_id'], key: ['id'] },
  { name: 'email_settings', table: 'email_addresses', columns: ['member_id'], key: ['member_id'], isSingle: true },
  {
    name: 'email_address_to_confirm',
    table: 'email_confirmations',
    columns: ['member_id'],
    key: ['member_id'],
    exclude: ['token_hash'],
    isSingle: true,
  },
  { name: 'emails', table: 'emails', columns: ['member_id'], key: ['id'] },
  {
    name: 'known_devices',
    table: 'known_devices',
    columns: ['member_id'],
    key: ['device_hash'],
    exclude: ['device_hash'],
  },
  { name: 'notification_settings', table: 'inboxes', columns: ['member_id'], key: ['member_id'], isSingle: true },
  { name: 'notifications_to_all_seen', table: 'broadcast_marks', columns: ['member_id'], key: ['broadcast_id'] },
  { name: 'notifications_to_all_sent', table: 'broadcasts', columns: ['sent_by'], key: ['id'] },
  {
    name: 'giveaway_entries',
    table: 'giveaway_entries',
    columns: ['member_id'],
    key: ['id'],
    exclude: ['sealed_prize'],
    raw: 'sealed_prize',
    transform: (row, sealed) => ({ ...row, prize: Buffer.isBuffer(sealed) ? openPrize(sealed) : null }),
  },
  {
    name: 'giveaways_made',
    table: 'giveaways',
    columns: ['created_by'],
    key: ['id'],
    exclude: ['sealed_prizes', 'sealed_seed'],
  },
  {
    name: 'sanctions',
    table: 'sanctions',
    columns: ['member_id'],
    key: ['id'],
    exclude: ['imposed_by', 'lifted_by'],
  },
  { name: 'sanctions_imposed', table: 'sanctions', columns: ['imposed_by', 'lifted_by'], key: ['id'] },
  { name: 'hosts_marked', table: 'behavior_hosts', columns: ['marked_by'], key: ['host'] },
  { name: 'reports', table: 'reports', columns: ['reporter_id'], key: ['id'], exclude: ['case_id'] },
  {
    name: 'decisions_about_own',
    table: 'report_cases',
    columns: ['author_id'],
    key: ['id'],
    // Reporters stay anonymous, and severity would tell their reasons.
    exclude: ['claimed_by', 'decided_by', 'appeal_decided_by', 'severity', 'weight', 'weighted_since'],
  },
  {
    name: 'decisions_made',
    table: 'report_cases',
    columns: ['claimed_by', 'decided_by', 'appeal_decided_by'],
    key: ['id'],
    include: [
      'id',
      'subject_type',
      'subject_id',
      'status',
      'decision',
      'decided_at',
      'appeal_status',
      'appeal_decision',
    ],
  },
  { name: 'audit_log_own', table: 'audit_log', columns: ['actor_id'], key: ['id'], exclude: ['before', 'after'] },
  {
    name: 'audit_log_about',
    table: 'audit_log',
    columns: ['member_id'],
    key: ['id'],
    exclude: ['actor_id', 'before', 'after'],
  },
]
