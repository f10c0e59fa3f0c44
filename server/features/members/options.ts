import type { Database } from '#server/db/database.ts'
import type { MediaStore } from '#server/features/media/store.ts'
import type { Guards } from '#server/features/authorization/guards.ts'

export interface MembersOptions {
  db: Database
  /** For visitors: what may be a second old. */
  reads: Database
  store: MediaStore
  discordCdnUrl: string
  guards: Guards
  /** Rises when what visitors see may have changed. */
  version: () => number
  /** Lets a member's scripts be found by their new name; to be called in the transaction that gives it. */
  renameAuthor: (trx: Database, memberId: number) => Promise<void>
  /** Told in the transaction that deletes an account, while the member is still there. */
  onErase: (trx: Database, memberId: number) => Promise<void>
  /** What is in a prize that a member won. */
  openPrize: (sealed: Buffer) => string
}
