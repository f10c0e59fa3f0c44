// The contents of a dump: one query per file, with the rules by which visitors see the same data. Each row is a JSON object.
import { type RawBuilder, sql } from 'kysely'
import type { DumpKindName, DumpTotals } from '#contract/dumps.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isListed, isPublicCollection } from '#server/features/members/public-content.ts'
import { isActive } from '#server/features/members/standing.ts'
import { isListedWithdrawal } from '#server/features/scripts/withdrawals.ts'

/** A time in UTC with microseconds. */
const time = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Public scripts `s` with their authors `a`. */
const PUBLIC_SCRIPTS = sql`scripts s join members a on a.id = s.author_id and ${isListed('s', 'a')}`

/** What visitors get or got of them. Versions that wait, were discarded or were private stay out. */
const PUBLIC_VERSIONS = sql`${PUBLIC_SCRIPTS} join script_versions v on v.script_id = s.id and v.state = 'published'`

const isPublicScript = (id: string) => sql`exists (select from scripts s join members m on m.id = s.author_id
  where s.id = ${sql.ref(id)} and ${isListed('s', 'm')})`

/** SQL condition: rating `r` counts, and is on a public script. */
const isPublicRating = sql`(r.is_counted and r.hidden_at is null and ${isPublicScript('r.script_id')})`

/** Ratings `r` that count. Those of banned members do not. */
const PUBLIC_REVIEWS = sql`ratings r left join members m on m.id = r.member_id
  where ${isActive('m')} and ${isPublicRating}`

const isShownComment = (comment: string, author: string) =>
  sql`${sql.ref(`${comment}.hidden_at`)} is null and not ${sql.ref(`${comment}.is_pending`)} and ${isActive(author)}`

/** Comments `c` that visitors see: a reply only if its thread is shown. */
const PUBLIC_COMMENTS = sql`comments c left join members m on m.id = c.author_id
  left join comments p on p.id = c.parent_id left join members o on o.id = p.author_id
  where ${isShownComment('c', 'm')} and (p.id is null or ${isShownComment('p', 'o')}) and ${isPublicScript('c.script_id')}`

const PUBLIC_COLLECTIONS = sql`collections c join members m on m.id = c.owner_id where ${isPublicCollection('c')}
  and ${isActive('m')}`

/** Giveaways that visitors see in the list or whose draw they can verify. */
const isPublicGiveaway = sql`(g.is_active or g.drawn_at is not null)`

/** Members `m`: public profiles, and private ones named on public scripts, reviews, comments or collections. */
const PUBLIC_MEMBERS = sql`members m where ${isActive('m')} and (not m.is_private
  or exists (select from scripts where author_id = m.id and is_public and not is_unlisted)
  or exists (select from ratings r where r.member_id = m.id and ${isPublicRating})
  or exists (select from comments c left join comments p on p.id = c.parent_id left join members o on o.id = p.author_id
    where c.author_id = m.id and c.hidden_at is null and not c.is_pending
    and (p.id is null or ${isShownComment('p', 'o')}) and ${isPublicScript('c.script_id')})
  or exists (select from collections c where c.owner_id = m.id and ${isPublicCollection('c')}))`

const unlessPrivate = (value: RawBuilder<unknown>) => sql`case when not m.is_private then ${value} end`
const showing = (column: string, setting: string) =>
  unlessPrivate(sql`case when ${sql.ref(`m.${setting}`)} then ${sql.ref(`m.${column}`)} end`)
const setting = (name: string) => sql`(not m.is_private and ${sql.ref(`m.${name}`)}) as ${sql.ref(name)}`

/** Each query selects the columns of a file's schema, in the order of its key. */
const SELECTS: Record<DumpKindName, RawBuilder<unknown>> = {
  tags: sql`select t.id, t.name, t.color, n.script_count from tags t join (
      select x.tag_id, count(*) as script_count from script_tags x join ${PUBLIC_SCRIPTS} on s.id = x.script_id
      group by x.tag_id) n on n.tag_id = t.id order by t.id`,
  images: sql`select i.hash, i.width, i.height from media i
    where exists (select from ${PUBLIC_SCRIPTS} where s.image = i.hash)
      or exists (select from ${PUBLIC_SCRIPTS} join script_screenshots x on x.script_id = s.id where x.image = i.hash)
      or i.hash in (select m.profile_image from ${PUBLIC_MEMBERS})
      or i.hash in (select m.banner_image from ${PUBLIC_MEMBERS} and not m.is_private)
    order by i.hash collate "C"`,
  members: sql`select m.id, m.slug, m.username, m.display_name, m.is_private as is_hidden, m.profile_image,
      ${unlessPrivate(sql`m.banner_image`)} as banner_image, ${unlessPrivate(sql`m.bio`)} as bio,
      ${showing('location', 'show_location')} as location, ${showing('website', 'show_website')} as website,
      case when not m.is_private and m.show_social_links then m.social_links - 'discord' else '{}' end as social_links,
      ${unlessPrivate(sql`m.title`)} as title, ${unlessPrivate(sql`m.custom_badge`)} as custom_badge,
      ${unlessPrivate(sql`m.badge_color`)} as badge_color, ${showing('reputation', 'show_script_stats')} as reputation,
      ${unlessPrivate(sql`coalesce((select f.follower_count from follower_counts f where f.member_id = m.id), 0)`)}
        as follower_count,
      ${sql.join(
        ['show_location', 'show_website', 'show_social_links', 'show_script_stats', 'show_recent_activity'].map(
          setting,
        ),
      )},
      ${time('m.created_at')} as created_at
    from ${PUBLIC_MEMBERS} order by m.id`,
  scripts: sql`select s.id, s.author_id, s.title, s.summary, s.description, s.version, s.current_version, s.image,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id
        order by x.position) as tags,
      s.license, s.script_type, s.placement, s.requirements, s.file_size, s.has_key_system, s.key_system_url, s.is_universal,
      s.game_id, (select g.name from games g where g.game_id = s.game_id) as game_name, s.is_client_side, s.is_free, s.is_featured, s.is_verified, s.is_mobile_compatible, s.is_working,
      coalesce((select json_agg(json_build_object('image', x.image, 'alt', x.alt) order by x.position)
        from script_screenshots x where x.script_id = s.id), '[]') as screenshots,
      ${time('s.showcase_date')} as showcase_date, s.showcase_video_url, s.showcase_notes,
      coalesce((select slow_seconds from comment_settings x where x.script_id = s.id), 0) as comment_slow_seconds,
      (select n.id from scripts n join members m on m.id = n.author_id
        where n.id = s.successor_id and ${isListed('n', 'm')}) as successor_id,
      st.view_count, st.download_count, st.favorite_count,
      array[st.one_star, st.two_star, st.three_star, st.four_star, st.five_star] as stars, st.trend,
      ${time('s.created_at')} as created_at, ${time('s.updated_at')} as updated_at
    from ${PUBLIC_SCRIPTS} join script_stats st on st.script_id = s.id order by s.id`,
  versions: sql`select v.script_id, v.number, v.version, v.changelog, v.size, v.sha256, v.declared_capabilities,
      v.declared_hosts, ${time('v.created_at')} as created_at, ${time('v.state_since')} as published_at,
      case when v.number = s.current_version then 'current' else 'former' end as state, v.provenance,
      v.content
    from ${PUBLIC_VERSIONS} order by v.script_id, v.number`,
  behavior: sql`select distinct on (c.sha256 collate "C") c.sha256, c.analyzer_version,
      ${time('c.analyzed_at')} as analyzed_at, c.compiles, c.compile_error,
      coalesce(c.card -> 'capabilities', '[]') as capabilities, coalesce(c.card -> 'hosts', '[]') as hosts,
      nullif(c.card -> 'obfuscator', 'null') as obfuscator, coalesce(c.card -> 'opaque', '[]') as opaque
    from behavior_cards c where c.status = 'ready' and exists (
      select from ${PUBLIC_VERSIONS} where v.sha256 = c.sha256)
    order by c.sha256 collate "C", c.analyzer_version desc`,
  reviews: sql`select r.id, r.script_id, r.member_id, r.rating, r.review, r.reply, ${time('r.replied_at')} as replied_at,
      r.helpful_count, ${time('r.created_at')} as created_at, ${time('r.edited_at')} as edited_at
    from ${PUBLIC_REVIEWS} order by r.id`,
  comments: sql`select c.id, c.script_id, c.parent_id, c.author_id, c.text,
      array(select x.id from unnest(c.mentions) with ordinality n (id, position) join members x on x.id = n.id
        where ${isActive('x')} and not x.is_private order by n.position) as mentions,
      c.helpful_count, ${time('c.created_at')} as created_at, ${time('c.edited_at')} as edited_at,
      ${time('c.deleted_at')} as deleted_at
    from ${PUBLIC_COMMENTS} order by c.id`,
  collections: sql`select c.id, c.owner_id, c.name, c.description, ${time('c.created_at')} as created_at,
      ${time('c.updated_at')} as updated_at,
      coalesce((select json_agg(json_build_object('script_id', i.script_id, 'note', i.note,
          'added_at', ${time('i.added_at')}) order by i.position, i.script_id)
        from collection_items i where i.collection_id = c.id and ${isPublicScript('i.script_id')}), '[]') as items
    from ${PUBLIC_COLLECTIONS} order by c.id`,
  giveaways: sql`select g.id, g.title, g.description, g.prize_type, g.prize_description, g.entry_requirement,
      ${time('g.end_date')} as end_date, g.max_entries, g.entry_count, g.winner_count, g.is_active, g.seed_sha256, g.seed,
      ${time('g.drawn_at')} as drawn_at, ${time('g.created_at')} as created_at
    from giveaways g where ${isPublicGiveaway} order by g.id`,
  giveaway_entries: sql`select e.id, e.giveaway_id, e.place,
      case when e.place is not null and not m.is_private and ${isActive('m')} then m.id end as member_id
    from giveaway_entries e join giveaways g on g.id = e.giveaway_id left join members m on m.id = e.member_id
    where g.drawn_at is not null and not e.is_excluded order by e.id`,
  withdrawals: sql`select w.id, w.script_id, w.sha256, w.slug, w.version, ${time('w.withdrawn_at')} as withdrawn_at,
      w.withdrawn_as as by, w.reason, w.is_malicious, ${time('w.reinstated_at')} as reinstated_at,
      w.is_sitewide, w.token_sha256
    from withdrawals w where w.subject = 'version' and ${isListedWithdrawal} order by w.id`,
}

/** JSON escapes control characters, so CSV with these as quote and delimiter leaves every line as it is. */
export function copyStatement(db: Database, kind: DumpKindName): string {
  const query = sql`select row_to_json(x) from (${SELECTS[kind]}) x`.compile(db)
  if (query.parameters.length > 0) throw new Error(`the query of ${kind} has parameters`)
  return `copy (${query.sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02', encoding 'UTF8')`
}

/** Totals over the same rows, read from the tables, to compare a site with the dump that filled it. */
export async function countTotals(db: Database): Promise<DumpTotals> {
  const { rows } = await sql<DumpTotals>`select
      (select count(*) from ${PUBLIC_MEMBERS}) as members, t.*,
      (select count(*) from ${PUBLIC_VERSIONS}) as versions, x.*,
      (select count(*) from ${PUBLIC_REVIEWS}) as reviews, (select count(*) from ${PUBLIC_COMMENTS}) as comments,
      (select count(*) from ${PUBLIC_COLLECTIONS}) as collections,
      (select count(*) from collection_items i where ${isPublicScript('i.script_id')}
        and i.collection_id in (select c.id from ${PUBLIC_COLLECTIONS})) as collection_items
    from (select count(*) as scripts, coalesce(sum(st.view_count), 0)::int8 as views,
        coalesce(sum(st.download_count), 0)::int8 as downloads, coalesce(sum(st.favorite_count), 0)::int8 as favorites,
        coalesce(sum(st.rating_count), 0)::int8 as ratings, coalesce(sum(st.one_star + 2 * st.two_star
          + 3 * st.three_star + 4 * st.four_star + 5 * st.five_star), 0)::int8 as stars
      from ${PUBLIC_SCRIPTS} join script_stats st on st.script_id = s.id) t,
    (select count(*) as tag_uses, count(distinct x.tag_id) as tags
      from script_tags x join ${PUBLIC_SCRIPTS} on s.id = x.script_id) x`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('no totals')
  return totals
}
