import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { TestApp } from './app.ts'
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

/** Orphaned rows, scripts with missing rows, and gaps in version numbers; empty if consistent. */
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
    union all select 'a gap', v.script_id from script_versions v join scripts s on s.id = v.script_id
      group by v.script_id, s.current_version
      having max(v.number) <> s.current_version or max(v.number) - min(v.number) + 1 <> count(*) or count(*) > 100`.execute(
    db,
  )
  return rows
}
