// Writes types.generated.ts from a freshly migrated database; with --check it only compares.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { generate, PostgresDialect as GeneratorDialect } from 'kysely-codegen'
import { startPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

const target = path.join(import.meta.dirname, 'types.generated.ts')

async function generateTypes(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-types-'))
  const postgres = await startPostgres({ dataDir: folder, durable: false })
  const pool = openPool(postgres.connection)
  try {
    await migrate(pool)
    return await generate({
      db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
      dialect: new GeneratorDialect(),
      typeMapping: { int8: 'number', xid8: 'string', tsvector: 'string' },
      excludePattern: '{public.migrations,jobs.*}',
      typeOnlyImports: true,
      outFile: null,
    })
  } finally {
    await pool.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const types = await generateTypes()
if (!process.argv.includes('--check')) {
  await writeFile(target, types)
} else if ((await readFile(target, 'utf8').catch(() => '')) !== types) {
  console.error(
    'server/db/types.generated.ts does not match the migrations. Run npm run generate and commit the result.',
  )
  process.exitCode = 1
}
