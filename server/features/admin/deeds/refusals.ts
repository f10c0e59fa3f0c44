import { AppError } from '#server/http/errors.ts'

export const userNotFound = () => new AppError('user_not_found', 404, 'This user was not found.')
export const scriptNotFound = () => new AppError('script_not_found', 404, 'This script was not found.')

/** For what admins may not do to themselves. */
export const ownAccount = () =>
  new AppError('own_account', 403, 'You cannot do this to your own account. Ask another admin.')

export const ownReputation = () => new AppError('own_reputation', 403, 'You cannot change your own reputation.')

/** For what somebody else has decided already: `Ada is already banned.` */
export const already = (state: string, name: string) =>
  new AppError(`already_${state}`, 409, `${name} is already ${state.replaceAll('_', ' ')}.`)

export const not = (state: string, name: string) =>
  new AppError(`not_${state}`, 409, `${name} is not ${state.replaceAll('_', ' ')}.`)

export const bannedNow = (name: string) => new AppError('banned', 409, `${name} is banned. Lift the ban first.`)
