import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeFullMember } from '#tests/support/full-member.ts'
import { exportSections } from './export-sections.ts'

const OTHERS_ROW = 'a row of somebody else, in which the number of an account that is gone is nobody'
const THING = 'a script, a review or a profile; of a member’s own things author_id says so, too'
const PERSON = 'the person, who outlives the account for 24 months'
const PERSON_COLUMNS = [
  'giveaway_entries.person_id',
  'ratings.person_id',
  'reports.person_id',
  'reputation_ledger.giver_person_id',
  'reputation_ledger.receiver_person_id',
  'sanctions.person_id',
  'upload_usage.person_id',
  'works_votes.person_id',
]
const KEYED = 'a keyed hash that only the visitor can make again'
const APPLICATION = 'of the Discord application of the site, not of a member'
/** Columns without a foreign key, which stay, each with the reason. Ids are never reused. */
const STAYS: Record<string, string> = {
  'admin_grants.discord_id':
    'of accounts that the operator lists in ADMIN_DISCORD_IDS; deleted when they are not listed',
  'audit_log.actor_id': 'append-only; the number alone, the name goes with the account',
  'audit_log.member_id': 'append-only; the number alone, the name goes with the account',
  'audit_log.subject_id': 'append-only; where it is a member, member_id says so too',
  'notifications.actor_id': OTHERS_ROW,
  'notifications.actors': OTHERS_ROW,
  'report_cases.subject_id': THING,
  'reports.subject_id': THING,
  ...Object.fromEntries(PERSON_COLUMNS.map((column) => [column, PERSON])),
  'persons.discord_hash': 'a keyed hash, which recognizes the person; goes with the person',
  'persons.former_member_ids': 'finds the person of an entry of the audit log; goes with the person',
  'login_tokens.browser_hash': 'goes with the row, by member_id',
  'rejected_sign_ins.browser_hash': 'goes with the row, by member_id',
  'sessions.browser_hash': 'goes with the row, by member_id',
  'setup.admin_discord_id': 'that the owner entered as the admin of the site, like ADMIN_DISCORD_IDS',
  'setup.discord_client_id': APPLICATION,
  'setup.sealed_discord_secret': APPLICATION,
  'sign_ins.browser_hash': 'of a browser that has begun a sign-in; goes after minutes',
  'script_visits.visitor': `${KEYED}; goes after a day`,
}
const NOT_EXPORTED: Record<string, string> = {
  'admin_grants.discord_id': 'the audit log has the same event',
  'audit_log.subject_id': 'audit_log.member_id finds the same rows',
  'blocks.blocked_id': 'the private list of another member',
  'broadcasts.author_id': 'the script is exported',
  'follows.author_id': 'the private list of another member; follower_counts is exported',
  'webhook_events.author_id': 'what others said and did, which their exports have',
  'notifications.actor_id': OTHERS_ROW,
  'notifications.actors': OTHERS_ROW,
  'report_cases.subject_id': THING,
  'reports.subject_id': THING,
  ...Object.fromEntries(PERSON_COLUMNS.map((column) => [column, 'its row is exported by the member’s id'])),
  'persons.discord_hash': 'its row is exported by member_id',
  'persons.former_member_ids': 'its row is exported by member_id',
  'login_tokens.browser_hash': 'a secret; its row is exported by member_id',
  'rejected_sign_ins.browser_hash': 'a secret; its row is exported by member_id',
  'sessions.browser_hash': 'a secret; its row is exported by member_id',
  'setup.admin_discord_id': 'the audit log has what followed from it',
  'setup.discord_client_id': APPLICATION,
  'setup.sealed_discord_secret': APPLICATION,
  'sign_ins.browser_hash': 'of a browser that has begun a sign-in',
  'script_visits.visitor': KEYED,
}

interface Referring {
  column: string
  /** What the foreign key does; null without one. */
  rule: string | null
}

// Columns with a foreign key to members, or with a name that suggests a person.
const REFERRING = `
  with keys as (
    select k.table_name, k.column_name, r.delete_rule from information_schema.referential_constraints r
      join information_schema.key_column_usage k using (constraint_schema, constraint_name)
      join information_schema.constraint_column_usage u using (constraint_schema, constraint_name)
    where u.table_name = 'members' and u.column_name = 'id')
  select c.table_name || '.' || c.column_name as column, k.delete_rule as rule
  from information_schema.columns c left join keys k using (table_name, column_name)
  where c.table_schema = 'public' and c.table_name <> 'members' and (k.delete_rule is not null or (
    c.data_type not in ('boolean', 'timestamp with time zone')
    and c.column_name ~ '(member|author|actor|user|giver|receiver|reporter|owner|visitor|browser|discord|email|person|subject_id)|_by$'
    and c.column_name !~ '(_count|_type|_requirement)$'))
  order by 1`

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const findReferring = async () => (await site.pool.query<Referring>(REFERRING)).rows

const EXPORTED = new Set(
  exportSections({ openPrize: String, openWebhookUrl: String }).flatMap(({ table, columns }) =>
    columns.map((column) => `${table}.${column}`),
  ),
)
const isExported = ({ column }: Referring) => EXPORTED.has(column) || column in NOT_EXPORTED
/** Rules of foreign keys: the row goes with the account, or only its name. */
const ERASING = new Set(['CASCADE', 'SET NULL'])
const isErased = ({ column, rule }: Referring) => (rule === null ? column in STAYS : ERASING.has(rule))

describe('every column with a member id', () => {
  test('is exported or listed as an exception', async () => {
    expect((await findReferring()).filter((each) => !isExported(each))).toEqual([])
  })

  test('is cleared or deleted with the account, or listed as an exception', async () => {
    expect((await findReferring()).filter((each) => !isErased(each))).toEqual([])
  })

  test('exists: no list has an entry for a removed column', async () => {
    const known = new Set((await findReferring()).map(({ column }) => column))
    const named = [...Object.keys(STAYS), ...Object.keys(NOT_EXPORTED), ...EXPORTED]
    expect(named.filter((column) => !known.has(column) && column !== 'members.id')).toEqual([])
  })

  test('has a value for the member who is exported and deleted', async () => {
    const { id } = await makeFullMember(site)
    for (const { column, rule } of await findReferring()) {
      const [table, name] = column.split('.')
      const rows = rule && (await site.pool.query(`select 1 from ${table} where ${name} = $1`, [id])).rowCount
      expect(rows, column).not.toBe(0)
    }
  })
})

test('a new column with a member id is detected, with or without a foreign key', async () => {
  await site.pool.query(`create table gifts (id integer, member_id integer references members (id) on delete cascade,
    wrapped_by integer, reporter_email text, is_by_member boolean)`)
  const rows = (await findReferring()).filter((each) => !isExported(each) || !isErased(each))
  await site.pool.query('drop table gifts')
  expect(rows.map(({ column }) => column)).toEqual(['gifts.member_id', 'gifts.reporter_email', 'gifts.wrapped_by'])
})

test('every column of the member is exported or listed as an exception', async () => {
  const sections = exportSections({ openPrize: String, openWebhookUrl: String })
  expect(sections.find(({ table }) => table === 'members')?.exclude).toEqual(['notes', 'search_key'])
})
