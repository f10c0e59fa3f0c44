import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { ERASED_AFTER, hasRecords, LIMITS_COUNT_FOR } from '#server/features/accounts/persons.ts'
import { IDLE_TIMEOUT, LOGIN_TOKEN_LIFETIME, MAX_SESSION_AGE } from '#server/features/accounts/sessions.ts'
import { BLOCKED_SIGN_IN_LIFETIME, SIGN_IN_LIFETIME } from '#server/features/accounts/sign-in.ts'
import { CONFIRMATION_LIFETIME } from '#server/features/email/outbox.ts'
import { STORED_DAYS } from '#server/features/scripts/insights.ts'
import { DRAFT_LIFETIME } from '#server/features/scripts/drafts.ts'
import { PUBLISH_KEY_LIFETIME } from '#server/features/scripts/publish.ts'

interface Rule {
  table: string
  /** What is deleted, from when on, and why: the columns of docs/retention.md. */
  data: string
  age: string
  reason: string
  /** Condition on a row of the table, whose alias is `t`. */
  isDue: RawBuilder<unknown>
  /** Rows that one statement deletes. */
  batch?: number
}

const isOlder = (column: string, age: string) => sql`${sql.ref(`t.${column}`)} < now() - ${age}::interval`

/** Of broadcasts about scripts. Members who follow many authors read all of them to count the unread ones. */
const MAX_SCRIPT_NEWS_AGE = '30 days'
const MAX_NOTIFICATION_AGE = '180 days'
const MAX_NOTIFICATIONS = 10_000
const LOG_AGE = '30 days'
const DEVICE_AGE = '180 days'
const TOKENS_LISTED_FOR = '30 days'
const LAST_DAY = sql`utc_day(now()) - ${STORED_DAYS}::int`

/** A rule whose rows refer to those of another one comes after it. */
export const RETENTION: readonly Rule[] = [
  {
    table: 'sessions',
    data: 'Sessions: hash of the token, browser, times',
    age: `${IDLE_TIMEOUT} after the last request, ${MAX_SESSION_AGE} after signing in`,
    reason: 'They have ended.',
    isDue: sql`(${isOlder('last_used_at', IDLE_TIMEOUT)} or ${isOlder('created_at', MAX_SESSION_AGE)})`,
  },
  {
    table: 'login_tokens',
    data: 'Login tokens',
    age: LOGIN_TOKEN_LIFETIME,
    reason: 'They can no longer be exchanged for a session.',
    isDue: isOlder('created_at', LOGIN_TOKEN_LIFETIME),
  },
  {
    table: 'sign_ins',
    data: 'Sign-ins that were started',
    age: SIGN_IN_LIFETIME,
    reason: 'They can no longer be completed.',
    isDue: isOlder('started_at', SIGN_IN_LIFETIME),
  },
  {
    table: 'rejected_sign_ins',
    data: 'Sign-ins of banned members: member and hash of a cookie',
    age: BLOCKED_SIGN_IN_LIFETIME,
    reason: 'The page that explains the ban has been shown.',
    isDue: isOlder('rejected_at', BLOCKED_SIGN_IN_LIFETIME),
  },
  {
    table: 'api_tokens',
    data: 'API tokens: name, hash, scopes, scripts, build, last use',
    age: `${TOKENS_LISTED_FOR} after they expire; tokens of trusted publishing when they expire`,
    reason: 'Their owner sees for that time which token has expired.',
    isDue: sql`(${isOlder('expires_at', TOKENS_LISTED_FOR)} or t.publisher_ids is not null and t.expires_at < now())`,
  },
  {
    table: 'used_id_tokens',
    data: 'Records of used ID tokens of trusted publishing',
    age: '1 hour after they expire',
    reason: 'Until then a token could be accepted twice, because clocks differ.',
    isDue: isOlder('expires_at', '1 hour'),
  },
  {
    table: 'repository_syncs',
    data: 'Updates from connected repositories',
    age: LOG_AGE,
    reason: 'The author sees what was updated. Updates that wait stay.',
    isDue: sql`${isOlder('created_at', LOG_AGE)} and t.state <> 'waiting'`,
  },
  {
    table: 'repository_deliveries',
    data: 'Ids of received pushes',
    age: LOG_AGE,
    reason: 'A push that is sent again is ignored.',
    isDue: isOlder('received_at', LOG_AGE),
  },
  {
    table: 'webhook_deliveries',
    data: 'Deliveries of webhooks: state, response, error',
    age: LOG_AGE,
    reason: 'The owner of the webhook sees them in its log.',
    isDue: isOlder('created_at', LOG_AGE),
  },
  {
    table: 'webhook_events',
    data: 'Events of webhooks',
    age: '1 day, without deliveries',
    reason: 'They are stored for their deliveries.',
    isDue: sql`${isOlder('created_at', '1 day')}
      and not exists (select from webhook_deliveries d where d.event_id = t.id)`,
  },
  {
    table: 'emails',
    data: 'Emails: address, content, state',
    age: LOG_AGE,
    reason: 'Failures can be examined.',
    isDue: isOlder('created_at', LOG_AGE),
  },
  {
    table: 'email_confirmations',
    data: 'Confirmations of addresses',
    age: CONFIRMATION_LIFETIME,
    reason: 'Their links have expired.',
    isDue: isOlder('created_at', CONFIRMATION_LIFETIME),
  },
  {
    table: 'known_devices',
    data: 'Hashes of browsers that have signed in',
    age: `${DEVICE_AGE} after the last sign-in`,
    reason: 'Members get an email about sign-ins from other browsers.',
    isDue: isOlder('seen_at', DEVICE_AGE),
  },
  {
    table: 'persons',
    data: 'Hash of the Discord account of former members, with which their votes, reports and sanctions become anonymous',
    age: `${ERASED_AFTER} after the deletion of the account or the end of the last sanction; ${LIMITS_COUNT_FOR} without records`,
    reason: 'Neither sanctions nor limits nor votes start again with a new account.',
    isDue: sql`t.member_id is null and (
      ${isOlder('retained_since', ERASED_AFTER)}
        and not exists (select from sanctions s where s.person_id = t.id
          and coalesce(s.lifted_at, s.ends_at) > now() - ${ERASED_AFTER}::interval)
      or ${isOlder('retained_since', LIMITS_COUNT_FOR)} and t.former_member_ids = '{}' and t.notes is null
        and not ${hasRecords('t')})`,
    batch: 1000,
  },
  {
    table: 'publish_keys',
    data: 'Idempotency keys of uploads',
    age: PUBLISH_KEY_LIFETIME,
    reason: 'An upload that is repeated after a lost response is published once.',
    isDue: isOlder('created_at', PUBLISH_KEY_LIFETIME),
  },
  {
    table: 'drafts',
    data: 'Drafts of scripts and of changes',
    age: `${DRAFT_LIFETIME} after the last change`,
    reason: 'Members go on with them on another device.',
    isDue: isOlder('updated_at', DRAFT_LIFETIME),
  },
  {
    table: 'broadcasts',
    data: 'Notifications to many members',
    age: `${MAX_SCRIPT_NEWS_AGE} about scripts, others ${MAX_NOTIFICATION_AGE}`,
    reason: 'They are no longer news.',
    isDue: sql`(${isOlder('created_at', MAX_NOTIFICATION_AGE)}
      or t.audience <> 'all' and ${isOlder('created_at', MAX_SCRIPT_NEWS_AGE)})`,
  },
  {
    table: 'notifications',
    data: 'Notifications to one member',
    age: MAX_NOTIFICATION_AGE,
    reason: 'They are no longer news, even if unread.',
    isDue: isOlder('moved_at', MAX_NOTIFICATION_AGE),
  },
  {
    table: 'notifications',
    data: `Notifications of a member after the newest ${MAX_NOTIFICATIONS.toLocaleString('en')}`,
    age: 'at once',
    reason: 'They bound an inbox.',
    isDue: sql`t.id in (select old.id
      from (select member_id from notifications group by member_id having count(*) > ${MAX_NOTIFICATIONS}) full_inbox
        cross join lateral (select id from notifications n where n.member_id = full_inbox.member_id
          order by moved_at desc, id desc offset ${MAX_NOTIFICATIONS}) old)`,
  },
  {
    table: 'limit_uses',
    data: 'Uses of rate limits',
    age: 'when they no longer count',
    reason: 'They count for the time of the limit.',
    isDue: sql`t.expires_at < now()`,
  },
  {
    table: 'upload_usage',
    data: 'Bytes that a person has uploaded in a day',
    age: 'end of the UTC day',
    reason: 'They count for the limit of that day.',
    isDue: sql`t.day < (now() at time zone 'utc')::date`,
  },
  {
    table: 'script_days',
    data: 'Views, downloads and ratings of scripts by day',
    age: `${STORED_DAYS} days`,
    reason: 'Authors compare with the year before.',
    isDue: sql`t.day <= ${LAST_DAY}`,
  },
  {
    table: 'script_referrers',
    data: 'Sites from which views of scripts came, by day',
    age: `${STORED_DAYS} days`,
    reason: 'Authors compare with the year before.',
    isDue: sql`t.day <= ${LAST_DAY}`,
  },
]

const BATCH = 10_000

/**
 * Deletes what is due, in batches to keep locks short, by all rules or those of some tables. Rows that are in use stay for
 * the next run. Queries check lifetimes themselves, so it does not matter when it runs. If a rule fails, the others are
 * applied before the error is thrown.
 */
export async function deleteDueData(db: Database, tables?: readonly string[]): Promise<void> {
  let failure: Error | undefined
  for (const rule of RETENTION) {
    if (tables && !tables.includes(rule.table)) continue
    await deleteDueRows(db, rule).catch((error: Error) => {
      failure ??= error
    })
  }
  if (failure) throw failure
}

async function deleteDueRows(db: Database, { table, isDue, batch = BATCH }: Rule): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where ${isDue} limit ${batch} for update skip locked))`.execute(db)
    if (numAffectedRows < batch) return
  }
}

/** The content of docs/retention.md. */
export function describeRetention(): string {
  const rows = RETENTION.map(({ data, age, reason }) => `| ${data} | ${age} | ${reason} |`)
  return `# When data is deleted

Written from \`server/operations/retention/retention.ts\`, which a job applies every hour. Images that nothing uses are
deleted after a day, dumps and backups as [operations](operations.md) says. Other data is stored until a member deletes it
or their account, or an admin does.

| data | deleted after | why it is stored |
|---|---|---|
${rows.join('\n')}
`
}
