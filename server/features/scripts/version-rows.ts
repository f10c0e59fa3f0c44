import { sql } from 'kysely'
import { MAX_VERSIONS } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import type { CodeText } from './code.ts'
import { type Viewer, visibleTo } from './visibility.ts'

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
