// Compares the generated files, and all SQL of the server, with a freshly migrated database. With --verbose it also lists the
// SQL texts that it cannot check.
import path from 'node:path'
import { findOutdatedFiles, withMigratedDatabase } from '#server/platform/db/generate-types.ts'
import { checkSql } from './check-sql/check.ts'
import { openDescriber } from './check-sql/prepare.ts'
import { Program } from './check-sql/program.ts'

/** SQL texts that only a running server can compose. Lower this number when fewer are left. */
const MAX_NOT_CHECKED = 36

const root = path.resolve(import.meta.dirname, '..')
const isServer = (file: string) => /^server\/.*(?<!\.test)\.ts$/.test(file)

await withMigratedDatabase(async (pool) => {
  const outdated = await findOutdatedFiles(pool)
  if (outdated.length > 0)
    fail(`${outdated.join(' and ')} do not match the migrations. Run npm run generate and commit the result.`)
  const client = await pool.connect()
  const program = new Program(root, isServer)
  try {
    const { problems, checked, notChecked } = await checkSql(program, await openDescriber(client))
    for (const problem of problems) fail(problem)
    console.log(`SQL texts: ${checked + notChecked.length}, not checked: ${notChecked.length}.`)
    if (process.argv.includes('--verbose')) console.log(notChecked.join('\n'))
    if (notChecked.length !== MAX_NOT_CHECKED)
      fail(
        `${notChecked.length} SQL texts are not checked instead of ${MAX_NOT_CHECKED} (MAX_NOT_CHECKED): see node scripts/check-database.ts --verbose.`,
      )
  } finally {
    program.close()
    client.release()
  }
})

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
