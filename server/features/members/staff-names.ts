import { isReservedName, skeletonOf } from '@scriptyard/text'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { type Caller, isStaff } from '#server/platform/authorization/guards.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'

/**
 * Display names need not be unique: pages show the username beside them. But a member's may not look like the site's own names
 * or like the name of a moderator or admin. Throws AppError `invalid`.
 */
export async function rejectStaffName(
  db: Database,
  caller: Pick<Caller, 'id' | 'isAdmin' | 'isModerator'>,
  name: string,
  siteName: string,
): Promise<void> {
  if (isStaff(caller)) return
  if (isReservedName(name, siteName)) {
    throw invalidField('display_name', "This name is reserved for the site's staff. Choose another name.")
  }
  const { rows } = await sql<{ name: string }>`select unnest(array[username, display_name]) as name from members
    where (is_admin or is_moderator) and id <> ${caller.id}`.execute(db)
  const skeleton = skeletonOf(name)
  if (skeleton !== '' && rows.some((staff) => staff.name && skeletonOf(staff.name) === skeleton)) {
    throw invalidField('display_name', "This name looks like a staff member's. Choose another name.")
  }
}
