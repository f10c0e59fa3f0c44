import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { type RawBuilder, sql } from 'kysely'
import type { Behavior, BehaviorChange } from '#contract/behavior.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { Database } from '#server/platform/db/database.ts'
import { scriptNotFound, type Viewer, visibleTo } from '#server/features/scripts/visibility.ts'
import { type Declared, findHostKinds, type StoredCard, toBehavior, type Verdict } from './cards.ts'

const CURRENT_VERSION = sql`scripts s join members m on m.id = s.author_id
  join script_versions v on v.script_id = s.id and v.number = s.current_version`

interface BehaviorRow extends Declared {
  version: string
  sha256: string
  status: Behavior['status'] | null
  analyzer_version: number | null
  analyzed_at: Date | null
  compiles: boolean | null
  compile_error: Verdict['error']
  card: StoredCard | null
}

/** The card of a script's current version. Throws AppError `script_not_found`, also if the viewer may not see the script. */
export async function getBehavior(db: Database, id: number, viewer: Viewer): Promise<Behavior> {
  const { rows } = await sql<BehaviorRow>`select s.version, v.sha256, v.declared_capabilities, v.declared_hosts,
      c.status, c.analyzer_version, c.analyzed_at, c.compiles, c.compile_error, c.card
    from ${CURRENT_VERSION} left join script_behaviors b on b.script_id = s.id and b.sha256 = v.sha256
    left join behavior_cards c on c.sha256 = b.sha256 and c.analyzer_version = b.analyzer_version
    where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  const [row] = rows
  if (!row) throw scriptNotFound()
  const card = row.card ?? {}
  return toBehavior({
    status: row.status ?? 'pending',
    analyzer_version: row.analyzer_version ?? ANALYZER_VERSION,
    analyzed_at: row.analyzed_at?.toISOString() ?? null,
    sha256: row.sha256,
    version: row.version,
    card,
    verdict: { compiles: row.compiles, error: row.compile_error },
    declared: row,
    kinds: await findHostKinds(db, card.hosts?.map(({ host }) => host) ?? []),
  })
}

interface VersionPair {
  number: number
  version: string
  created_at: Date
  capabilities: CapabilityId[]
  hosts: string[]
  former_capabilities: CapabilityId[]
  former_hosts: string[]
}

/** SQL: the number of the version that visitors got before version `v`. */
export const PRECEDING = sql`(select max(p.number) from script_versions p
  where p.script_id = v.script_id and p.number < v.number and p.state = 'published')`

/** SQL: versions `v` of `s`, each with another one `f`. Both short cards are of the newest analyzer that has both. */
const selectPairs = (
  former: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
) => sql`select v.number, v.version, v.created_at, pair.*
  from scripts s join members m on m.id = s.author_id join script_versions v on v.script_id = s.id
  join script_versions f on f.script_id = s.id and f.number = ${former}
  join lateral (select c.capabilities, c.hosts, d.capabilities as former_capabilities, d.hosts as former_hosts
    from behavior_cards c join behavior_cards d on d.analyzer_version = c.analyzer_version
    where c.sha256 = v.sha256 and d.sha256 = f.sha256 and c.status = 'ready' and d.status = 'ready'
    order by c.analyzer_version desc limit 1) pair on true
  where ${where}`

/** How versions of a script differ from the one before, newest first. Throws AppError `script_not_found`. */
export async function listChanges(db: Database, id: number, viewer: Viewer): Promise<BehaviorChange[]> {
  const visible = sql`select from scripts s join members m on m.id = s.author_id where s.id = ${id} and ${visibleTo(viewer)}`
  const { rows } = await sql<VersionPair>`${selectPairs(
    PRECEDING,
    sql`s.id = ${id} and v.state = 'published' and v.sha256 <> f.sha256 and exists (${visible})`,
  )} order by v.number desc`.execute(db)
  if (rows.length === 0 && (await visible.execute(db)).rows.length === 0) throw scriptNotFound()
  return rows.map(toChange).filter(isChange)
}

/** `former`, the other version's number, is an SQL expression of `v` and `s`. Undefined if it or a card is missing. */
export async function findChangeSince(
  db: Database,
  id: number,
  number: number,
  former: RawBuilder<unknown>,
): Promise<BehaviorChange | undefined> {
  const { rows } = await sql<VersionPair>`${selectPairs(former, sql`s.id = ${id} and v.number = ${number}`)}`.execute(
    db,
  )
  return rows[0] && toChange(rows[0])
}

function toChange(pair: VersionPair): BehaviorChange {
  return {
    number: pair.number,
    version: pair.version,
    created_at: pair.created_at.toISOString(),
    starts: difference(pair.capabilities, pair.former_capabilities),
    stops: difference(pair.former_capabilities, pair.capabilities),
    hosts_added: difference(pair.hosts, pair.former_hosts),
    hosts_removed: difference(pair.former_hosts, pair.hosts),
  }
}

const difference = <T>(all: readonly T[], without: readonly T[]): T[] => all.filter((one) => !without.includes(one))

export const isChange = ({ starts, stops, hosts_added, hosts_removed }: BehaviorChange): boolean =>
  starts.length + stops.length + hosts_added.length + hosts_removed.length > 0
