import type { AdminActionBody } from '#contract/admin.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { linkDiscordAccount } from '#server/features/accounts/link-member.ts'
import type { PersonKey } from '#server/features/accounts/person-key.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockTarget } from './lock.ts'

/** Links a Discord account to an imported member. The log does not name it. Throws what `lockTarget` and `linkDiscordAccount` throw. */
export async function linkMember(
  trx: Transaction,
  key: PersonKey,
  adminId: number,
  body: AdminActionBody<'link_member'>,
) {
  const { id } = await lockTarget(trx, adminId, body.user_id)
  await linkDiscordAccount(trx, key, { memberId: id, discordId: body.discord_id })
  await writeAudit(trx, { actorId: adminId, action: 'link_member', subjectType: 'member', subjectId: id, memberId: id })
}
