import { sql } from 'kysely'
import type { PersonBan } from '#contract/admin.ts'
import type { Database } from '#server/db/database.ts'

const MAX_BANS = 50

interface Row extends Omit<PersonBan, 'imposed_at' | 'ends_at'> {
  imposed_at: Date
  ends_at: Date | null
}

export async function listPersonBans(db: Database): Promise<PersonBan[]> {
  const { rows } = await sql<Row>`select x.person_id, p.former_member_ids as user_ids, x.reason,
      coalesce(nullif(i.display_name, ''), i.username) as imposed_by, x.imposed_at, nullif(x.ends_at, 'infinity') as ends_at
    from sanctions x join persons p on p.id = x.person_id left join members i on i.id = x.imposed_by
    where x.kind = 'ban' and x.member_id is null and x.lifted_at is null and x.ends_at > now()
    order by x.imposed_at desc, x.id desc limit ${MAX_BANS}`.execute(db)
  return rows.map(({ imposed_at, ends_at, ...row }) => ({
    ...row,
    imposed_at: imposed_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
  }))
}
