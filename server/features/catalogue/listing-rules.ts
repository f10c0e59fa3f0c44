// Rules that the SQL catalogue and the index share: what each flag means and what a host matches.
import { type RawBuilder, sql } from 'kysely'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { type Flag, partnerOf } from '#contract/catalogue-names.ts'

export type Condition = RawBuilder<boolean>

/** The tables that lists read. Conditions use these names: `b` is null for a script without a behavior card. */
export const LIST_TABLES = sql`scripts s join script_stats st on st.script_id = s.id
  left join script_behaviors b on b.script_id = s.id`

const lacks = (...capabilities: CapabilityId[]): Condition => sql`coalesce(${lacksAll(capabilities)}, false)`

/** The code has a ready card with none of these capabilities. Null without a card. */
export function lacksAll(capabilities: readonly CapabilityId[]): Condition {
  return sql`(b.status = 'ready' and not b.capabilities && ${textArray(capabilities)})`
}

export function usesAll(capabilities: readonly CapabilityId[]): Condition {
  return sql`(b.status = 'ready' and b.capabilities @> ${textArray(capabilities)})`
}

/** Literals, because the index reads its rows with a query without parameters. The ids contain no quotes. */
const textArray = (ids: readonly CapabilityId[]) => sql.raw(`'{${ids.join()}}'::text[]`)

/** The code contacts this host or a subdomain of it. Null without a card. */
export function contacts(host: string): Condition {
  const isSubdomain = levelsOf(host) <= MAX_HOST_LEVELS ? sql`right(h, ${host.length + 1}) = ${`.${host}`}` : sql`false`
  return sql`(b.status = 'ready' and exists (select from unnest(b.hosts) h where h = ${host} or ${isSubdomain}))`
}

/** A host is found by its parent domains of at most this many labels, so that deep names do not fill the index. */
const MAX_HOST_LEVELS = 8
const levelsOf = (host: string) => host.split('.').length

export function findableDomains(host: string): string[] {
  const labels = host.split('.')
  const parents = labels.slice(1).map((_, i) => labels.slice(i + 1))
  return [host, ...parents.filter(({ length }) => length <= MAX_HOST_LEVELS).map((parent) => parent.join('.'))]
}

export const FLAG_CONDITIONS: Record<Flag, Condition> = {
  featured: sql`s.is_featured`,
  no_keysystem: sql`not s.has_key_system`,
  free_only: sql`s.is_free`,
  paid_only: sql`not s.is_free`,
  universal_only: sql`s.is_universal`,
  game_specific_only: sql`not s.is_universal`,
  client_side_only: sql`s.is_client_side`,
  fe_only: sql`not s.is_client_side`,
  verified_creators: sql`s.is_verified`,
  mobile_compatible: sql`s.is_mobile_compatible`,
  working_scripts: sql`s.is_working`,
  showcased: sql`s.showcase_date is not null`,
  // Ends as time passes, without a write: the change feed's follower delivers the script then.
  works_now: sql`coalesce(st.works_until > now(), false)`,
  no_remote_code: lacks('code.remote'),
  sends_no_data: lacks('net.send', 'net.webhook', 'net.exfiltration'),
  readable_code: lacks('shape.obfuscated'),
  no_executor: lacks('needs.executor'),
  compiles: sql`coalesce(b.status = 'ready' and b.compiles, false)`,
}

export function flagsWith(flags: readonly Flag[], added: Flag): Flag[] {
  const partner = partnerOf(added)
  return [...flags.filter((flag) => flag !== partner && flag !== added), added]
}
