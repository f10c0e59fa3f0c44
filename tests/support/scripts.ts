import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { type Analyzer, makeCard } from '#server/features/behavior/analyze.ts'
import { decideWaitingWith } from '#server/features/releases/release.ts'
import { createEmit } from '#server/features/webhooks/emit.ts'
import type { TestApp } from './app.ts'
import { fakeSandboxes } from './fake-sandboxes.ts'
import type { signIn } from './factories.ts'

export type SignedIn = Awaited<ReturnType<typeof signIn>>

const asText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

type Json = Record<string, unknown>

export const minimalScript: Json = { title: 'A script', description: 'What it does.', script_content: 'return 1' }

/** Posts a new script as is; `key` is the idempotency key. */
export function sendScript({ app }: TestApp, headers: SignedIn | undefined, body: unknown, key?: string) {
  return app.inject({
    method: 'POST',
    url: '/api/scripts',
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: asText(body),
  })
}

/** Publishes a minimal script with these fields changed. Returns its id. */
export async function publish(site: TestApp, headers: SignedIn, fields: Json = {}): Promise<number> {
  const response = await sendScript(site, headers, { ...minimalScript, ...fields })
  if (response.statusCode !== 201) throw new Error(response.payload)
  return response.json<{ script: { id: number } }>().script.id
}

export function sendChange({ app }: TestApp, headers: SignedIn | undefined, id: number | string, body: unknown) {
  return app.inject({
    method: 'PUT',
    url: `/api/script-details?id=${id}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: asText(body),
  })
}

export function sendDelete({ app }: TestApp, headers: SignedIn | undefined, id: number | string) {
  return app.inject({
    method: 'DELETE',
    url: `/api/script-details?id=${id}`,
    // The web client sends this type with every request.
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export function sendRestore({ app }: TestApp, headers: SignedIn | undefined, body: unknown) {
  return app.inject({
    method: 'POST',
    url: '/api/script-versions',
    headers: { 'content-type': 'application/json', ...headers },
    payload: asText(body),
  })
}

export function sendRelease({ app }: TestApp, moderator: SignedIn, script_id: number, number: number) {
  const payload = { script_id, number, reason: 'It is what the title says.' }
  return app.inject({ method: 'POST', url: '/api/version-release', headers: moderator, payload })
}

export function sendConfirm({ app }: TestApp, author: SignedIn, script_id: number, number: number) {
  return app.inject({ method: 'POST', url: '/api/version-confirm', headers: author, payload: { script_id, number } })
}

/** Analyzes and decides about the versions that are being checked, as jobs do on a running site. */
export async function checkVersions(
  { db, jobs }: Pick<TestApp, 'db' | 'jobs'>,
  sandbox: Partial<Analyzer> = {},
): Promise<void> {
  const { rows } = await sql<{ sha256: string; content: string }>`select distinct sha256, content from script_versions
    where state = 'checking'`.execute(db)
  const emit = createEmit({ jobs, publicUrl: 'http://127.0.0.1' })
  for (const code of rows) {
    await makeCard({ db, sandbox: { ...fakeSandboxes.published, ...sandbox } }, code, {
      signal: new AbortController().signal,
    })
    await decideWaitingWith({ db, jobs, emit }, code.sha256)
  }
}

const TABLES = ['scripts', 'script_stats', 'script_search', 'script_tags', 'tags', 'publish_keys', 'media']

/** Row count and content hash of each table of the catalogue. */
export async function hashTables(db: Database): Promise<unknown> {
  const selects = TABLES.map(
    (table) => sql`select ${sql.lit(table)} as name, count(*) as rows,
      md5(string_agg(t::text, '|' order by t::text)) as sum from ${sql.table(table)} t`,
  )
  // The code itself, which can be long, is left out.
  selects.push(sql`select 'script_versions' as name, count(*) as rows,
    md5(string_agg(concat(script_id, ' ', number, version, sha256, changelog), '|' order by script_id, number)) as sum
    from script_versions`)
  const { rows } = await sql`${sql.join(selects, sql` union all `)} order by name`.execute(db)
  return rows
}

/** Orphaned rows, scripts with missing rows, and states that do not fit together; empty if consistent. */
export async function findInconsistencies(db: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select 'part of nothing' as fault, script_id from (
      select script_id from script_search union all select script_id from script_stats
      union all select script_id from script_versions union all select script_id from script_tags
      union all select script_id from script_visits union all select script_id from ratings) parts
      where script_id not in (select id from scripts)
    union all select 'without a part', s.id from scripts s
      where not exists (select 1 from script_search x where x.script_id = s.id)
        or not exists (select 1 from script_stats x where x.script_id = s.id)
        or not exists (select 1 from script_versions v where v.script_id = s.id and v.number = s.current_version
          and v.size = s.file_size and v.version = s.version and v.size = octet_length(v.content)
          and v.sha256 = encode(sha256(convert_to(v.content, 'UTF8')), 'hex'))
    union all select 'too many versions', script_id from script_versions
      group by script_id having count(*) filter (where state <> 'discarded') > 100 or count(*) > 120
    union all select 'not the last published version', s.id from scripts s where s.is_public
      and s.current_version is distinct from (select v.number from script_versions v
        where v.script_id = s.id and v.state = 'published' order by v.state_since desc, v.number desc limit 1)
    union all select 'public without a published version', s.id from scripts s where s.is_unchecked = (
      select v.state = 'published' from script_versions v where v.script_id = s.id and v.number = s.current_version)
      and coalesce(s.was_public, s.is_public)`.execute(db)
  return rows
}
