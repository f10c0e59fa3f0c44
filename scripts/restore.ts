// npm run restore -- FOLDER: fills an empty site from a backup.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { readEnvironment, UserFacingError } from '#server/config/values.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { openPool, optionsLike } from '#server/db/pool.ts'
import { restoreBackup } from '#server/features/backup/restore.ts'
import { openMedia } from '#server/features/media/upload.ts'
import { printResult } from './run-command.ts'

await printResult(async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new UserFacingError('Use npm run restore -- FOLDER.')
  const config = readConfig(readEnvironment())
  const closers: (() => Promise<void>)[] = []
  try {
    const { contents, missingImages, otherTables } = await restoreBackup({
      source: path.resolve(folder),
      connect: async () => {
        const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir: config.dataDir })
        if (embedded) closers.push(() => embedded.stop())
        const pool = openPool(config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.connection ?? '', 1)
        closers.unshift(() => pool.end())
        return optionsLike(pool)
      },
      store: openMedia(config, { concurrency: 1 }).store,
      dataDir: config.dataDir,
      onProgress: (line) => console.log(line),
    })
    const { tables, media, secret_key, taken_at } = contents
    const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en')
    return [
      `Restored ${rows} rows of ${tables.length} tables and ${media.files.toLocaleString('en')} image files, as of ${taken_at}.`,
      missingImages > 0 && `${missingImages} ${missingImages === 1 ? 'image is' : 'images are'} missing in the backup.`,
      otherTables.length > 0 && `Left out tables of other programs: ${otherTables.join(', ')}.`,
      !secret_key && 'The backup has no secret key: set SECRET_KEY to the key of the site before you start it.',
      'Start the site: it applies later migrations.',
    ]
      .filter(Boolean)
      .join('\n')
  } finally {
    for (const close of closers) await close()
  }
})
