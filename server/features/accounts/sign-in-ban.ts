import { sql } from 'kysely'
import type { SignInBan } from '#contract/accounts.ts'
import type { Database } from '#server/db/database.ts'
import { hashToken } from './sessions.ts'

export const BLOCKED_SIGN_IN_LIFETIME = '10 minutes'

/** Notes that a ban kept this member out, for the browser that tried. */
export async function recordBlockedSignIn(trx: Database, memberId: number, browser: string): Promise<void> {
  await sql`insert into refused_sign_ins (browser_hash, member_id) values (${hashToken(browser)}, ${memberId})
    on conflict (browser_hash) do update set member_id = excluded.member_id, refused_at = now()`.execute(trx)
}

/** The ban that kept this browser's member out a moment ago, while it lasts. */
export async function findSignInBan(db: Database, browser: string): Promise<SignInBan | undefined> {
  const { rows } = await sql<{ reason: string | null; endsAt: Date | null }>`
    select s.reason, nullif(m.banned_until, 'infinity') as "endsAt"
    from refused_sign_ins r join members m on m.id = r.member_id
    left join lateral (select reason from sanctions
      where member_id = m.id and kind = 'ban' and lifted_at is null and ends_at > now()
      order by imposed_at desc, id desc limit 1) s on true
    where r.browser_hash = ${hashToken(browser)} and r.refused_at > now() - ${BLOCKED_SIGN_IN_LIFETIME}::interval
      and m.banned_until > now()`.execute(db)
  const [ban] = rows
  return ban && { reason: ban.reason ?? '', ends_at: ban.endsAt?.toISOString() ?? null }
}
