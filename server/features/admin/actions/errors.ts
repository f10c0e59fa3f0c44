import { AppError } from '#server/platform/http/errors.ts'

export const userNotFoundError = () => new AppError('user_not_found', 404, 'This user was not found.')

export const ownAccountError = () =>
  new AppError('own_account', 403, "You can't do this to your own account. Ask another admin.")

export const ownReputationError = () => new AppError('own_reputation', 403, "You can't change your own reputation.")

/** `alreadyError('banned', 'Ada')` has the code `already_banned` and the message 'Ada is already banned.' */
export const alreadyError = (state: string, name: string) =>
  new AppError(`already_${state}`, 409, `${name} is already ${state.replaceAll('_', ' ')}.`)

export const notError = (state: string, name: string) =>
  new AppError(`not_${state}`, 409, `${name} is not ${state.replaceAll('_', ' ')}.`)

export const bannedError = (name: string) => new AppError('banned', 409, `${name} is banned. Lift the ban first.`)
