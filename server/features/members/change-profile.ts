import type { Profile, ProfileInput } from '#contract/members.ts'
import type { Database } from '#server/db/database.ts'
import { keepGivenImage, type MediaStore } from '#server/features/media/service.ts'
import { AppError } from '#server/http/errors.ts'
import type { Caller } from '#server/http/guards.ts'
import type { MembersOptions } from './options.ts'
import { readProfileInput } from './profile-input.ts'
import { getProfile } from './read-profile.ts'
import { findScriptIds } from './script-totals.ts'
import { lockMember } from './standing.ts'

/**
 * Changes the caller's own profile and gives it anew. What is left out stays. Throws AppError `not_your_profile`,
 * `invalid`, `bad_image` or `image_too_large` with the fields, and what `lockStanding` throws.
 */
export async function changeProfile(options: MembersOptions, caller: Caller, body: ProfileInput): Promise<Profile> {
  const { db, store, renameAuthor, noteChanged } = options
  if (body.user_id !== undefined && String(body.user_id) !== String(caller.id)) {
    throw new AppError('not_your_profile', 403, 'You can only change your own profile.')
  }
  const columns = readProfileInput(body)
  // Outside of any transaction: decoding takes long.
  const images = {
    profile_image: await storeImage(db, store, 'profile_image', body.profile_image),
    banner_image: await storeImage(db, store, 'banner_image', body.banner_image),
  }
  const given = Object.entries({ ...columns, ...images }).filter(([, value]) => value !== undefined)
  await db.transaction().execute(async (trx) => {
    const former = await lockMember(trx, caller.id, { exclusive: true })
    if (given.length === 0) return
    await trx.updateTable('members').set(Object.fromEntries(given)).where('id', '=', caller.id).execute()
    const isRenamed = columns.display_name !== undefined && columns.display_name !== former.display_name
    if (isRenamed) await renameAuthor(trx, caller.id)
  })
  noteChanged(await findScriptIds(db, caller.id))
  return getProfile(options, String(caller.id), caller)
}

async function storeImage(db: Database, store: MediaStore, field: string, given: string | null | undefined) {
  if (given === undefined) return undefined
  try {
    return await keepGivenImage(db, store, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new AppError(error.code, error.status, error.message, { fields: { [field]: error.message } })
  }
}
