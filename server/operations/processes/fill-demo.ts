import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { fillWithDemo } from '#server/operations/demo/service.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { openMedia } from '#server/platform/media/upload.ts'

/** Loads the demo data into an empty database. A separate module, because it is loaded only when needed. */
export async function fillDemo(pool: pg.Pool, config: Config): Promise<void> {
  const media = openMedia(config, { concurrency: availableParallelism() })
  await fillWithDemo(openDatabase(pool), { media, seal: createPrizeSeal(config.secretKey, config.retiredSecretKeys) })
}
