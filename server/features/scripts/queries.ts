import { type RawBuilder, sql } from 'kysely'
import { MAX_VERSIONS } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import type { CodeText, Properties } from './script-input.ts'
import { rejectNonAuthor, type Viewer, visibleTo } from './visibility.ts'

/** A state of a script's code, for those who may see the script. */
export interface CodeRow {
  id: number
  title: string
  author_id: number
  content: string
  sha256: string
}

/** The same with what its author may show of themself. */
interface PresentCodeRow extends CodeRow {
  reputation: number
  is_private: boolean
  show_script_stats: boolean
}

/** The present code of a script. */
export async function findCode(db: Database, id: number, viewer: Viewer): Promise<PresentCodeRow | undefined> {
  const { rows } = await sql<PresentCodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256, m.reputation,
      m.is_private, m.show_script_stats
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    join members m on m.id = s.author_id where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/** The newest kept version whose code has this SHA-256. */
export async function findCodeByHash(
  db: Database,
  id: number,
  sha256: string,
  viewer: Viewer,
): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256
    from scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id
    where s.id = ${id} and v.sha256 = ${sha256} and ${visibleTo(viewer)}
    order by v.number desc limit 1`.execute(db)
  return rows[0]
}

/** An author's script as it stands while they change it. */
export interface OwnScript {
  properties: Properties
  currentVersion: number
  /** Of the present code. */
  sha256: string
  updatedAt: Date
  /** Taken out of sight by a moderator. */
  isHidden: boolean
}

/** Throws AppError `not_the_author` or `script_not_found` unless the script is the caller's. */
export async function requireOwnScript(db: Database, id: number, caller: NonNullable<Viewer>): Promise<void> {
  const own = await db
    .selectFrom('scripts')
    .select('id')
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .executeTakeFirst()
  if (!own) await rejectNonAuthor(db, id, caller)
}

/**
 * Reads the caller's own script and keeps every other change away until the transaction ends. Throws like `checkOwn`.
 * The lock comes alone and the rest after it: in one statement a join would still look at the rows of before the wait.
 */
export async function lockOwnScript(trx: Database, id: number, caller: NonNullable<Viewer>): Promise<OwnScript> {
  const row = await trx
    .selectFrom('scripts')
    .select(['title', 'description', 'version', 'has_key_system', 'key_system_url', 'is_universal', 'game_id'])
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

/** The next `updated_at`: always later than the last, by a millisecond at least, which is what the API tells apart. */
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

/** A script's kept versions, newest first, without their code. */
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
  /** Undefined keeps the code of the version before. */
  code: CodeText | undefined
}

/** Adds the next version; what is older than the newest that are kept goes. */
export async function addVersion(trx: Database, { id, code, ...given }: NewVersion): Promise<void> {
  if (!code) return copyVersion(trx, { id, from: given.number - 1, ...given })
  await trx
    .insertInto('script_versions')
    .values({ script_id: id, ...given, ...code })
    .execute()
  await dropOldVersions(trx, id, given.number)
}

interface VersionCopy {
  id: number
  from: number
  number: number
  /** The copied version's own unless given. */
  version?: string
  changelog: string | null
}

/** Adds the next version with the code of one that is kept. */
export async function copyVersion(trx: Database, { id, from, number, version, changelog }: VersionCopy): Promise<void> {
  await sql`insert into script_versions (script_id, number, version, content, sha256, size, changelog)
    select script_id, ${number}, coalesce(${version ?? null}, version), content, sha256, size, ${changelog}
    from script_versions where script_id = ${id} and number = ${from}`.execute(trx)
  await dropOldVersions(trx, id, number)
}

// Numbers have no gaps, so this leaves exactly the newest ones.
async function dropOldVersions(trx: Database, id: number, newest: number): Promise<void> {
  await sql`delete from script_versions where script_id = ${id} and number <= ${newest - MAX_VERSIONS}`.execute(trx)
}
