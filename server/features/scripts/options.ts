import type { Database } from '#server/db/database.ts'
import type { MediaStore } from '#server/features/media/service.ts'

export interface ScriptsOptions {
  db: Database
  discordCdnUrl: string
}

export interface WritingOptions extends ScriptsOptions {
  store: MediaStore
}
