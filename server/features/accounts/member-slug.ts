import { sql } from 'kysely'
import { makeSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'

/** What /profile/... means already. */
const TAKEN_BY_PAGES = new Set(['me', 'settings'])

/** The slug that a name asks for, before it is known whether somebody has it. */
export function baseSlug(username: string): string {
  const slug = makeSlug(username, { allowUnderscores: true })
  if (!/[\p{L}\p{N}_]/u.test(slug)) return 'user'
  return /^\p{N}+$/u.test(slug) || TAKEN_BY_PAGES.has(slug) ? `u-${slug}` : slug
}

/** The first of `slug`, `slug-2`, `slug-3`, ... that nobody has at this moment, nor had before their account went. */
export async function findFreeSlug(db: Database, slug: string): Promise<string> {
  const { rows } = await sql<{ slug: string }>`with recursive tried (number, slug) as (
      select 1, ${slug}::text
      union all
      select number + 1, ${slug}::text || '-' || (number + 1) from tried
        where exists (select from members where members.slug = tried.slug)
          or exists (select from retired_slugs where slug_sha256 = sha256(convert_to(tried.slug, 'UTF8'))))
    select slug from tried order by number desc limit 1`.execute(db)
  return rows[0]?.slug ?? slug
}
