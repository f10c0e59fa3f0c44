import type { Database } from '#server/db/database.ts'

export interface AdminOptions {
  db: Database
  discordCdnUrl: string
  /** Told once a change of these scripts has been written. */
  noteChanged: (scriptIds: number[]) => void
}
