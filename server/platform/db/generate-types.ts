// Writes types.generated.ts and db/schema.sql from a freshly migrated database. scripts/check-database.ts compares them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { generate, PostgresDialect as GeneratorDialect } from 'kysely-codegen'
import type pg from 'pg'
import { describeSchema } from './describe-schema.ts'
import { startPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

const FILES: readonly [name: string, generate: (pool: pg.Pool) => Promise<string>][] = [
  ['server/platform/db/types.generated.ts', generateTypes],
  ['db/schema.sql', describeSchema],
]
const root = path.resolve(import.meta.dirname, '../../..')

function generateTypes(pool: pg.Pool): Promise<string> {
  return generate({
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    dialect: new GeneratorDialect(),
    typeMapping: { int8: 'number', xid8: 'string', tsvector: 'string' },
    excludePattern: '{public.migrations,jobs.*}',
    typeOnlyImports: true,
    outFile: null,
  })
}

/** Runs `run` on a new database with all migrations, which is removed afterwards. */
export async function withMigratedDatabase<T>(run: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-types-'))
  const postgres = await startPostgres({ dataDir: folder, durable: false })
  const pool = openPool(postgres.connection)
  try {
    await migrate(pool)
    return await run(pool)
  } finally {
    await pool.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The generated files that differ from what the migrations result in. */
export async function findOutdatedFiles(pool: pg.Pool): Promise<string[]> {
  const outdated: string[] = []
  for (const [name, generateText] of FILES) {
    const committed = await readFile(path.join(root, name), 'utf8').catch(() => '')
    if (committed !== (await generateText(pool))) outdated.push(name)
  }
  return outdated
}

async function writeFiles(pool: pg.Pool): Promise<void> {
  for (const [name, generateText] of FILES) await writeFile(path.join(root, name), await generateText(pool))
}

if (import.meta.main) await withMigratedDatabase(writeFiles)
