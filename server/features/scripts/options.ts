import type { Database } from '#server/db/database.ts'
import type { MediaStore } from '#server/features/media/service.ts'

export interface ScriptsOptions {
  db: Database
  discordCdnUrl: string
}

export interface WritingOptions extends ScriptsOptions {
  store: MediaStore
  /** Told after each write, so that this process shows the new state at once. */
  noteChanged: (scriptIds: readonly number[]) => void
}
