// npm run import-scripts -- --member NAME FOLDER [--write]: publishes the script files of a folder as a member's scripts.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/platform/config/values.ts'
import { recordCodeForScan } from '#server/features/behavior/record.ts'
import { importFolder } from '#server/features/scripts/import-folder.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ db, openMedia }) => {
  const { values, positionals } = parseArgs({
    options: { member: { type: 'string' }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [folder] = positionals
  if (!values.member || folder === undefined || positionals.length > 1) {
    throw new UserFacingError('Use npm run import-scripts -- --member NAME FOLDER [--write].')
  }
  const options = {
    db,
    media: openMedia(),
    recordCode: recordCodeForScan,
    // An import of many scripts is no news for webhooks.
    emit: async () => {},
  }
  const files = await importFolder(options, {
    folder: path.resolve(folder),
    member: values.member,
    write: values.write,
  })
  if (files.length === 0) return 'The folder has no .lua or .luau files.'
  console.table(files)
  const counts = Object.entries(Object.groupBy(files, ({ action }) => action)).map(
    ([action, group]) => `${group.length} ${action}`,
  )
  if (files.some(({ action }) => action === 'error')) process.exitCode = 1
  return `${counts.join(', ')}.${values.write ? '' : ' Nothing was written; add --write to publish.'}`
})
