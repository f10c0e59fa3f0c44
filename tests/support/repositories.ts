import type { Database } from '#server/db/database.ts'

/** Inserts a trusted publisher of a script. */
export async function makePublisher(db: Database, script_id: number): Promise<number> {
  const { id } = await db
    .insertInto('trusted_publishers')
    .values({ script_id, forge: 'https://github.com', repository: 'owner/lamp', workflow: 'release.yml' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
