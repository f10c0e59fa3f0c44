// npm run import -- DUMP: fills an empty site from a dump, which is a folder or the path or file URL of its manifest.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/platform/config/values.ts'
import { importDump } from '#server/operations/dumps/import.ts'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { runCommand } from './run-command.ts'

function folderOf(dump: string): string {
  const file = path.resolve(dump.startsWith('file:') ? fileURLToPath(dump) : dump)
  return path.basename(file) === 'manifest.json' ? path.dirname(file) : file
}

await runCommand(async ({ config, db, openMedia }) => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [dump] = positionals
  if (dump === undefined || positionals.length > 1) throw new UserFacingError('Use npm run import -- FOLDER.')
  if (/^https?:/.test(dump)) {
    throw new UserFacingError('Download the files of the dump into a folder first, then import the folder.')
  }
  const { manifest, missingImages, openGiveaways } = await importDump(
    {
      db,
      store: openMedia().store,
      seal: createPrizeSeal(config.secretKey, config.retiredSecretKeys),
      onProgress: (line) => console.log(line),
    },
    folderOf(dump),
  )
  const { scripts, members } = manifest.totals
  return [
    `Imported ${scripts.toLocaleString('en')} scripts and ${members.toLocaleString('en')} members.`,
    missingImages > 0 && `Left out ${missingImages} images: copy them into the image storage before an import.`,
    openGiveaways > 0 && `Left out ${openGiveaways} giveaways whose winners are not drawn.`,
  ]
    .filter(Boolean)
    .join('\n')
})
