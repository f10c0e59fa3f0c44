import { type RawBuilder, sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { MAX_VERSIONS, MAX_VERSIONS_BYTES } from '#contract/limits.ts'
import type { ScriptType } from '#contract/script-kinds.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { CodeText, Declaration, Properties } from './script-input.ts'
import { rejectNonAuthor, type Viewer, visibleTo } from './visibility.ts'

export interface CodeRow {
  id: number
  title: string
  author_id: number
  content: string
  sha256: string
}

interface CurrentCodeRow extends CodeRow {
  reputation: number
  is_private: boolean
  show_script_stats: boolean
  /** The author's choice, which differs from `is_public` while moderators hide the script. */
  is_public_setting: boolean
  is_hidden: boolean
  license: string | null
  script_type: ScriptType | null
  placement: string | null
  requirements: string | null
  changelog: string | null
  version_created_at: Date
  version_count: number
  declared_capabilities: CapabilityId[] | null
  declared_hosts: string[] | null
}

export async function findCode(db: Database, id: number, viewer: Viewer): Promise<CurrentCodeRow | undefined> {
  const { rows } = await sql<CurrentCodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256, m.reputation,
      m.is_private, m.show_script_stats, coalesce(s.was_public, s.is_public) as is_public_setting,
      s.hidden_at is not null as is_hidden, v.changelog,
      s.license, s.script_type, s.placement, s.requirements,
      v.created_at as version_created_at, v.declared_capabilities, v.declared_hosts,
      (select count(*) from script_versions o where o.script_id = s.id) as version_count
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    join members m on m.id = s.author_id where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/** Selects a stored version: by its number, and by the SHA-256 of its code, of which the newest counts. */
export interface VersionKey {
  number?: number | undefined
  sha256?: string | undefined
}

export async function findStoredCode(
  db: Database,
  id: number,
  { number, sha256 }: VersionKey,
  viewer: Viewer,
): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256
    from scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id
    where s.id = ${id} and ${number === undefined ? sql`true` : sql`v.number = ${number}`}
      and ${sha256 === undefined ? sql`true` : sql`v.sha256 = ${sha256}`}
      and ${visibleTo(viewer)}
    order by v.number desc limit 1`.execute(db)
  return rows[0]
}

export interface OwnScript {
  properties: Properties
  currentVersion: number
  sha256: string
  updatedAt: Date
  isHidden: boolean
}

/** Throws AppError `not_the_author` or `script_not_found` unless the caller is the script's author. */
export async function requireOwnScript(db: Database, id: number, caller: NonNullable<Viewer>): Promise<void> {
  const own = await db
    .selectFrom('scripts')
    .select('id')
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .executeTakeFirst()
  if (!own) await rejectNonAuthor(db, id, caller)
}

/** Throws what `requireOwnScript` throws. Locks first: a join in the same statement would read the rows from before the lock. */
export async function lockOwnScript(trx: Transaction, id: number, caller: NonNullable<Viewer>): Promise<OwnScript> {
  const row = await trx
    .selectFrom('scripts')
    .select([
      'title',
      'summary',
      'description',
      'version',
      'has_key_system',
      'key_system_url',
      'is_universal',
      'game_id',
    ])
    .select(['license', 'script_type', 'placement', 'requirements'])
    .select(['is_client_side', 'is_free', 'is_public', 'is_mobile_compatible', 'is_working'])
    .select(['current_version', 'updated_at', 'hidden_at'])
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return rejectNonAuthor(trx, id, caller)
  const { current_version, updated_at, hidden_at, ...columns } = row
  const { rows } = await sql<{ sha256: string; tags: string[] }>`select v.sha256,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = v.script_id
        order by x.position) as tags
    from script_versions v where v.script_id = ${id} and v.number = ${current_version}`.execute(trx)
  const { sha256 = '', tags = [] } = rows[0] ?? {}
  return {
    properties: { ...columns, tags },
    currentVersion: current_version,
    sha256,
    updatedAt: updated_at,
    isHidden: hidden_at !== null,
  }
}

/** SQL expression of the next `updated_at`: later than the last one by at least a millisecond, the API's precision. */
export const nextUpdate: RawBuilder<Date> = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  date_trunc('milliseconds', updated_at) + interval '1 millisecond')`

export interface VersionRow {
  number: number
  version: string
  changelog: string | null
  size: number
  sha256: string
  is_current: boolean
  created_at: Date
}

const COLUMNS = sql`v.number, v.version, v.changelog, v.size, v.sha256, v.number = s.current_version as is_current,
  v.created_at`
const FROM = sql`scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id`

export async function findVersionRows(db: Database, scriptId: number, viewer: Viewer): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`select ${COLUMNS} from ${FROM}
    where s.id = ${scriptId} and ${visibleTo(viewer)} order by v.number desc`.execute(db)
  return rows
}

export async function findVersionRow(
  db: Database,
  scriptId: number,
  number: number,
  viewer: Viewer,
): Promise<(VersionRow & { content: string }) | undefined> {
  const { rows } = await sql<VersionRow & { content: string }>`select ${COLUMNS}, v.content from ${FROM}
    where s.id = ${scriptId} and v.number = ${number} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

interface NewVersion {
  id: number
  number: number
  version: string
  changelog: string | null
  /** Undefined copies the code of the previous version. */
  code: CodeText | undefined
}

/** Keeps the former declaration and removes the oldest versions past the limits. Returns the code's size in bytes. */
export async function addVersion(trx: Transaction, { id, code, ...row }: NewVersion): Promise<number> {
  if (!code) return copyVersion(trx, { id, from: row.number - 1, ...row })
  await sql`insert into script_versions
      (script_id, number, version, content, sha256, size, changelog, declared_capabilities, declared_hosts)
    select script_id, ${row.number}, ${row.version}, ${code.content}, ${code.sha256}, ${code.size}, ${row.changelog},
      declared_capabilities, declared_hosts
    from script_versions where script_id = ${id} and number = ${row.number - 1}`.execute(trx)
  await removeOldVersions(trx, id, row.number)
  return code.size
}

interface VersionCopy {
  id: number
  from: number
  number: number
  version: string
  changelog: string | null
}

/** Stores what the author declares about a version. Undefined parts stay as they are. */
export async function setDeclaration(
  trx: Transaction,
  { id, number }: { id: number; number: number },
  { capabilities, hosts }: Declaration,
): Promise<void> {
  if (!capabilities && !hosts) return
  await sql`update script_versions set declared_capabilities = coalesce(${capabilities ?? null}, declared_capabilities),
      declared_hosts = coalesce(${hosts ?? null}, declared_hosts)
    where script_id = ${id} and number = ${number}`.execute(trx)
}

/** Adds the next version with the code and declaration of a stored one. Returns the size of the code in bytes. */
export async function copyVersion(
  trx: Transaction,
  { id, from, number, version, changelog }: VersionCopy,
): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    insert into script_versions
      (script_id, number, version, content, sha256, size, changelog, declared_capabilities, declared_hosts)
    select script_id, ${number}, ${version}, content, sha256, size, ${changelog},
      declared_capabilities, declared_hosts
    from script_versions where script_id = ${id} and number = ${from} returning size`.execute(trx)
  await removeOldVersions(trx, id, number)
  return rows[0]?.size ?? 0
}

/** The newest version always stays. */
async function removeOldVersions(trx: Transaction, id: number, newest: number): Promise<void> {
  await sql`delete from script_versions v using (
      select number, sum(size) over (order by number desc) as total from script_versions where script_id = ${id}) s
    where v.script_id = ${id} and v.number = s.number and s.number < ${newest}
      and (s.number <= ${newest - MAX_VERSIONS} or s.total > ${MAX_VERSIONS_BYTES})`.execute(trx)
}
