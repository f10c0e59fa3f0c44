import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres } from './embedded.ts'

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-embedded-'))
  chmodSync(folder, 0o755)
  dataDir = path.join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the embedded PostgreSQL', () => {
  test('creates the data folder and rejects a second server with the setting to change', async () => {
    const postgres = await startPostgres({ dataDir, durable: false })
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow(
      `DATA_DIR (${dataDir}) is in use by another server (process ${process.pid}); stop that one or set DATA_DIR`,
    )
    expect(postgres.connection).toMatchObject({ user: 'scriptyard', database: 'postgres' })
    await postgres.stop()
  })

  test('says how to move the data of another major version', async () => {
    await (await startPostgres({ dataDir, durable: false })).stop()
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '17\n')
    await expect(startPostgres({ dataDir })).rejects.toThrow(
      `DATA_DIR (${dataDir}) has a database of PostgreSQL 17, and this version of Scriptyard comes with another one: run \`npm run backup -- FOLDER\` with the version of Scriptyard that you used before, then move DATA_DIR away and run \`npm run restore -- FOLDER\` with this version.`,
    )
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '18\n')
    await (await startPostgres({ dataDir, durable: false })).stop()
  })

  test.runIf(process.getuid?.() === 0)('names the folder that its user may not enter', async () => {
    chmodSync(folder, 0o700)
    await expect(startPostgres({ dataDir })).rejects.toThrow(
      new RegExp(`^DATA_DIR .* may not enter ${folder}; run \`chmod o\\+x ${folder}\``),
    )
  })
})
