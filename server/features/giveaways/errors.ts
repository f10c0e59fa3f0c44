import { AppError } from '#server/http/errors.ts'

export const giveawayNotFound = () => new AppError('giveaway_not_found', 404, 'This giveaway was not found.')
export const alreadyEntered = () => new AppError('already_entered', 409, 'You have already entered this giveaway.')
export const giveawayEnded = () => new AppError('giveaway_ended', 409, 'This giveaway has ended.')
export const giveawayInactive = () => new AppError('giveaway_inactive', 409, 'This giveaway is not open at the moment.')
export const giveawayFull = () => new AppError('giveaway_full', 409, 'This giveaway has no places left.')
export const notVerified = () =>
  new AppError(
    'email_not_verified',
    403,
    'This giveaway asks for a verified e-mail address. Verify yours at Discord and sign in again.',
  )
export const alreadyDrawn = () => new AppError('already_drawn', 409, 'The winners of this giveaway are already drawn.')
export const noEntries = () => new AppError('no_entries', 409, 'Nobody who can win has entered this giveaway.')

export function fieldError(field: string, reason: string): AppError {
  return new AppError('invalid', 400, `'${field}' ${reason}.`, { fields: { [field]: reason } })
}
