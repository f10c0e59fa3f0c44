// npm run dump -- FOLDER: writes the public data of the site into a new folder.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/platform/config/values.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { optionsLike } from '#server/platform/db/pool.ts'
import { writeDump } from '#server/operations/dumps/write.ts'
import { readBranding } from '#server/features/site/branding.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ config, pool }) => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new UserFacingError('Use npm run dump -- FOLDER.')
  const started = performance.now()
  const { totals } = await writeDump({
    connection: optionsLike(pool),
    folder: path.resolve(folder),
    site: { name: (await readBranding(openDatabase(pool))).name ?? config.siteName, url: config.publicUrl },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `Wrote ${totals.scripts.toLocaleString('en')} scripts in ${seconds} s to ${folder}.`
})
