import { type RawBuilder, sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { MAX_VERSIONS, MAX_VERSIONS_BYTES } from '#contract/limits.ts'
import type { ScriptType } from '#contract/script-kinds.ts'
import type { ProvenanceKind, VersionState } from '#contract/version-states.ts'
import type { ScriptVersion } from '#contract/scripts.ts'
import type { HoldReason, Provenance } from '#contract/versions.ts'
import { isActive } from '#server/features/members/standing.ts'
import type { Publisher } from '#server/platform/authorization/guards.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { publisherColumns } from '#server/platform/authorization/publisher.ts'
import type { CodeText, Declaration, Properties } from './script-input.ts'
import { isStaffViewer, rejectNonAuthor, type Viewer, visibleTo } from './visibility.ts'

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
  state: StoredState
}

export async function findCode(db: Database, id: number, viewer: Viewer): Promise<CurrentCodeRow | undefined> {
  const { rows } = await sql<CurrentCodeRow>`select s.id, s.title, s.author_id, v.content, v.sha256, m.reputation,
      m.is_private, m.show_script_stats, coalesce(s.was_public, s.is_public) as is_public_setting,
      s.hidden_at is not null as is_hidden, v.changelog, v.state,
      s.license, s.script_type, s.placement, s.requirements,
      v.created_at as version_created_at, v.declared_capabilities, v.declared_hosts,
      (select count(*) from script_versions o where o.script_id = s.id
        and (o.state = 'published' or o.published_at is not null or o.state = 'private' and not s.is_public)) as version_count
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    join members m on m.id = s.author_id where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/**
 * SQL condition: visitors get the code of version `v` by its number or hash, if they see the script. A former version that is to
 * take the place of withdrawn code keeps its address while it waits.
 */
export const isReleased = sql`(v.state = 'published' or v.published_at is not null and v.state <> 'withdrawn')`

/** SQL condition: script `s` by member `m` is not public only because its current version was withdrawn, so former ones stay. */
const isBetweenVersions = sql`(s.is_unchecked and s.was_public and s.hidden_at is null and ${isActive('m')})`

/** Selects a version that visitors may get: by its number, and by the SHA-256 of its code, of which the newest counts. */
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
    where s.id = ${id} and ${isReleased} and ${number === undefined ? sql`true` : sql`v.number = ${number}`}
      and ${sha256 === undefined ? sql`true` : sql`v.sha256 = ${sha256}`}
      and (${visibleTo(viewer)} or ${isBetweenVersions})
    order by v.number desc limit 1`.execute(db)
  return rows[0]
}

export interface OwnScript {
  /** `is_public` is what the author chose. */
  properties: Properties
  currentVersion: number
  /** Of the current version. */
  sha256: string
  state: StoredState
  publishedBy: ProvenanceKind
  /** The version that waits to become current. While nothing is public yet, it is the current version. */
  waiting: { number: number; sha256: string } | undefined
  /** The number that the next version gets. */
  nextNumber: number
  updatedAt: Date
  isHidden: boolean
  /** Whether only trusted builds may publish versions. */
  onlyBuilds: boolean
  /** Whether everyone can see it. */
  isVisible: boolean
  isUnlisted: boolean
}

/** The column `state`. Of the published versions, the current one of a script is that which was published last. */
export type StoredState = 'checking' | 'held' | 'private' | 'published' | 'discarded' | 'withdrawn'

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

/** The current code, for the check of a script that becomes public. */
export async function findOwnCode(db: Database, id: number): Promise<CodeText | undefined> {
  const { rows } = await sql<CodeText>`select v.content, v.sha256, v.size
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${id} and not s.is_public`.execute(db)
  return rows[0]
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
    .select(['is_client_side', 'is_free', 'is_public', 'is_unlisted', 'is_mobile_compatible', 'is_working'])
    .select(['current_version', 'updated_at', 'hidden_at', 'was_public', 'only_builds'])
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return rejectNonAuthor(trx, id, caller)
  const { current_version, updated_at, hidden_at, was_public, only_builds, is_public, ...columns } = row
  const { rows } = await sql<LockedVersions>`select v.sha256, v.state,
      v.provenance ->> 'by' as published_by, w.number as waiting_number,
      w.sha256 as waiting_sha256, (select max(number) + 1 from script_versions where script_id = ${id}) as next_number,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = v.script_id
        order by x.position) as tags
    from script_versions v left join script_versions w
      on w.script_id = v.script_id and w.state in ('checking', 'held')
    where v.script_id = ${id} and v.number = ${current_version}`.execute(trx)
  const [versions] = rows
  if (!versions) throw new Error(`Script ${id} has no current version.`)
  const { waiting_number, waiting_sha256 } = versions
  return {
    properties: { ...columns, tags: versions.tags, is_public: was_public ?? is_public },
    currentVersion: current_version,
    sha256: versions.sha256,
    state: versions.state,
    publishedBy: versions.published_by,
    waiting:
      waiting_number !== null && waiting_sha256 !== null
        ? { number: waiting_number, sha256: waiting_sha256 }
        : undefined,
    nextNumber: versions.next_number,
    updatedAt: updated_at,
    isHidden: hidden_at !== null,
    onlyBuilds: only_builds,
    isVisible: is_public,
    isUnlisted: columns.is_unlisted,
  }
}

interface LockedVersions {
  sha256: string
  state: StoredState
  published_by: ProvenanceKind
  waiting_number: number | null
  waiting_sha256: string | null
  next_number: number
  tags: string[]
}

/** SQL expression of the next `updated_at`: later than the last one by at least a millisecond, the API's precision. */
export const nextUpdate: RawBuilder<Date> = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  date_trunc('milliseconds', updated_at) + interval '1 millisecond')`

/** Later than the time of every version that is or was current, also if the clock was set back. */
const nextTime = (id: number) => sql`greatest(clock_timestamp(), (select interval '1 microsecond'
    + max(case when state in ('published', 'private') then state_since else published_at end)
  from script_versions where script_id = ${id}))`

/** Since when a version has a state, for one that gets it now. */
export const stateTime = (id: number, state: StoredState): RawBuilder<unknown> =>
  state === 'published' || state === 'private' ? nextTime(id) : sql`clock_timestamp()`

export interface VersionRow {
  number: number
  version: string
  changelog: string | null
  size: number
  sha256: string
  is_current: boolean
  created_at: Date
  state: StoredState
  state_since: Date
  provenance: Provenance
  token_name: string | null
  hold_reasons: HoldReason[] | null
  confirmed_at: Date | null
  current_at: Date | null
  discard_reason: string | null
  withdrawn: ScriptVersion['withdrawn']
}

const COLUMNS = sql`v.number, v.version, v.changelog, v.size, v.sha256, v.number = s.current_version as is_current,
  v.created_at, v.state, v.state_since, v.provenance, v.hold_reasons, v.confirmed_at, v.current_at,
  v.discard_reason, case when w.id is not null then json_build_object('withdrawn_at', w.withdrawn_at, 'by', w.withdrawn_as,
    'reason', w.reason, 'is_malicious', w.is_malicious) end as withdrawn`

/** SQL condition: this viewer may see that version `v` exists, and its code unless it is withdrawn. */
const isSeenBy = (
  viewer: Viewer,
) => sql`(v.state = 'published' or v.published_at is not null or s.author_id = ${viewer?.id ?? null}::int
  or ${isStaffViewer(viewer)}::boolean)`
const tokenName = (viewer: Viewer) => sql`(select t.name from api_tokens t
  where t.id = v.token_id and t.member_id = ${viewer?.id ?? null}::int) as token_name`
const FROM = sql`scripts s join script_versions v on v.script_id = s.id join members m on m.id = s.author_id
  left join withdrawals w on w.script_id = v.script_id and w.sha256 = v.sha256 and w.subject = 'version'
    and w.reinstated_at is null and v.state = 'withdrawn'`

/** The state that the API shows. */
export function toVersionState({ state, is_current }: Pick<VersionRow, 'state' | 'is_current'>): VersionState {
  if (state === 'published' || state === 'private') return is_current ? 'current' : 'former'
  return state
}

export async function findVersionRows(db: Database, scriptId: number, viewer: Viewer): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`select ${COLUMNS}, ${tokenName(viewer)} from ${FROM}
    where s.id = ${scriptId} and ${visibleTo(viewer)} and ${isSeenBy(viewer)} order by v.number desc`.execute(db)
  return rows
}

export async function findVersionRow(
  db: Database,
  scriptId: number,
  number: number,
  viewer: Viewer,
): Promise<(VersionRow & { content: string }) | undefined> {
  const { rows } = await sql<
    VersionRow & { content: string }
  >`select ${COLUMNS}, ${tokenName(viewer)}, v.content from ${FROM}
    where s.id = ${scriptId} and v.number = ${number} and ${visibleTo(viewer)} and ${isSeenBy(viewer)}`.execute(db)
  return rows[0]
}

export interface NewVersion {
  id: number
  number: number
  version: string
  changelog: string | null
  /** The version that has the declaration, and the code unless there is new code. */
  from: number
  code?: CodeText | undefined
  state: StoredState
  publisher: Publisher
}

/** Keeps the declaration and removes the oldest versions past the limits. Returns the code's size in bytes. */
export async function addVersion(trx: Transaction, added: NewVersion): Promise<number> {
  const { id, number, version, changelog, from, code, state, publisher } = added
  const { provenance, token_id } = publisherColumns(publisher)
  const columns = code ? sql`${code.content}, ${code.sha256}, ${code.size}::int` : sql`content, sha256, size`
  const { rows } = await sql<{ size: number }>`insert into script_versions (script_id, number, version, changelog,
      content, sha256, size, declared_capabilities, declared_hosts, state, state_since, provenance, token_id)
    select script_id, ${number}, ${version}, ${changelog}, ${columns}, declared_capabilities, declared_hosts, ${state},
      ${stateTime(id, state)}, ${provenance}::jsonb, ${token_id}::uuid
    from script_versions where script_id = ${id} and number = ${from} returning size`.execute(trx)
  await removeOldVersions(trx, id)
  return rows[0]?.size ?? 0
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

const MAX_DISCARDED = 20

/** The version that visitors get and the one that waits always stay, and so does the history of withdrawn code. */
async function removeOldVersions(trx: Transaction, id: number): Promise<void> {
  await sql`delete from script_versions v using (
      select number, state, number = (select current_version from scripts where id = ${id}) or state in ('checking', 'held')
          or number = max(number) over () as stays,
        row_number() over states as place, sum(size) over states as total
      from script_versions where script_id = ${id}
      window states as (partition by state = 'discarded' order by number desc)) s
    where v.script_id = ${id} and v.number = s.number and not s.stays and s.state <> 'withdrawn'
      and (s.place > case when s.state = 'discarded' then ${MAX_DISCARDED}::int else ${MAX_VERSIONS}::int end
        or s.total > ${MAX_VERSIONS_BYTES}::int)`.execute(trx)
}
