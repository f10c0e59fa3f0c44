import { createSeal, type Seal, UnreadableError } from '#server/platform/db/seal.ts'
import { AppError } from '#server/platform/http/errors.ts'

/** Encrypts prizes and seeds. */
export const createPrizeSeal = (secretKey: Buffer, retired: readonly Buffer[] = []): Seal =>
  createSeal(secretKey, 'giveaway prizes', retired)

const LOST_PRIZE = "Your prize can't be shown, because the site lost the key that protects it. Ask an admin for help."

/** The prize of a winner, or a sentence for them if it cannot be decrypted. */
export function openWonPrize(seal: Seal, sealed: Buffer): string {
  try {
    return seal.open(sealed)
  } catch (error) {
    if (error instanceof UnreadableError) return LOST_PRIZE
    throw error
  }
}

/** Decrypts a value for an admin. Throws AppError `unreadable` with what to do instead. */
export function openForAdmin(seal: Seal, sealed: Buffer, advice: string): string {
  try {
    return seal.open(sealed)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new AppError('unreadable', 409, `The site doesn't have the secret key that encrypted this. ${advice}`)
  }
}
