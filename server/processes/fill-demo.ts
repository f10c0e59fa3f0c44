import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { fillWithDemo } from '#server/features/demo/service.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { openMedia } from '#server/features/media/upload.ts'

/** Fills an empty database with the demo catalogue. */
export async function fillDemo(pool: pg.Pool, config: Config): Promise<void> {
  const media = openMedia(config, { concurrency: 1 })
  await fillWithDemo(openDatabase(pool), { media, seal: createPrizeSeal(config.secretKey) })
}
