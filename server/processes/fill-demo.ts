import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { fillWithDemo } from '#server/features/demo/service.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { openMedia } from '#server/features/media/upload.ts'

/** Loads the demo data into an empty database. A separate module, because it is loaded only when needed. */
export async function fillDemo(pool: pg.Pool, config: Config): Promise<void> {
  const media = openMedia(config, { concurrency: availableParallelism() })
  await fillWithDemo(openDatabase(pool), { media, seal: createPrizeSeal(config.secretKey, config.retiredSecretKeys) })
}
