import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UserFacingError } from '#server/platform/config/values.ts'
import { migrate, SCHEMA_LOCK } from '#server/platform/db/migrate.ts'
import { openPoolLike } from '#server/platform/db/pool.ts'
import {
  backUp,
  type BackedUpSite,
  backUpSite,
  listFiles,
  type RestoreTarget,
  summarize,
} from '#tests/support/backups.ts'
import { createDatabaseBefore, type TestDatabase } from '#tests/support/database.ts'
import { queryOnce } from '#tests/support/replica.ts'

let site: BackedUpSite
let folder: string
let backup: string
let target: TestDatabase
let dataDir: string
let restore: RestoreTarget['restore']

beforeAll(async () => {
  site = await backUpSite()
  ;({ folder } = site)
})
afterAll(() => site.close())
beforeEach(async ({ onTestFinished }) => {
  ;({ backup, target, dataDir, restore } = await site.prepare())
  onTestFinished(() => target.drop())
})

async function findFault(run: () => Promise<unknown> = () => restore()): Promise<string> {
  const before = [await summarize(target), listFiles(dataDir)]
  const error: unknown = await run().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UserFacingError)
  expect([await summarize(target), listFiles(dataDir)]).toEqual(before)
  return (error as Error).message
}

const anImage = () => {
  const [line = ''] = readFileSync(path.join(backup, 'media.sha256'), 'utf8').split('\n')
  return path.join(backup, line.slice(66))
}

async function changeManifest(change: (manifest: Record<string, unknown>) => void, isForged: boolean): Promise<void> {
  const file = path.join(backup, 'backup.json')
  const { sha256, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  change(manifest)
  const sum = isForged ? createHash('sha256').update(JSON.stringify(manifest)).digest('hex') : sha256
  await writeFile(file, JSON.stringify({ ...manifest, sha256: sum }))
}

describe('a restore is rejected, and changes nothing, if', () => {
  test.each<[string, () => Promise<void>, RegExp]>([
    [
      'there is no manifest',
      () => rm(path.join(backup, 'backup.json')),
      /There is no backup in .*: backup\.json is missing/,
    ],
    ['the manifest is truncated', () => truncate(path.join(backup, 'backup.json'), 500), /backup\.json .* damaged/],
    ['the manifest is of something else', () => writeFile(path.join(backup, 'backup.json'), '{}'), /not the manifest/],
    [
      'a value of the manifest was changed',
      () => changeManifest((manifest) => Object.assign(manifest, { sequences: [] }), false),
      /backup\.json of the backup is damaged or was changed/,
    ],
    [
      'the format is newer',
      () => changeManifest((manifest) => Object.assign(manifest, { format_version: 2 }), true),
      /has format 2, and this version of Scriptyard reads up to 1\. Update/,
    ],
    [
      'it has an unknown migration',
      () =>
        changeManifest(
          ({ migrations }) => void (migrations as object[]).push({ name: '9999-x.sql', checksum: '' }),
          true,
        ),
      /newer version of Scriptyard \(migration 9999-x\.sql\)\. Update/,
    ],
    ['a table is missing', () => rm(path.join(backup, 'tables/scripts.copy.gz')), /not complete: tables\/scripts/],
    [
      'a table is truncated',
      () => truncate(path.join(backup, 'tables/scripts.copy.gz'), 30),
      /has 30 bytes instead of/,
    ],
    [
      'a table was changed',
      () => flip(path.join(backup, 'tables/scripts.copy.gz')),
      /scripts\.copy\.gz .* was changed/,
    ],
    [
      'the list of images has more',
      () => appendFile(path.join(backup, 'media.sha256'), 'x\n'),
      /media\.sha256 .* bytes/,
    ],
    ['an image was changed', () => writeFile(anImage(), 'other'), /media\/.*webp of the backup is damaged/],
    ['an image is missing', () => rm(anImage()), /not complete: media\//],
    ['the key was changed', () => flip(path.join(backup, 'secret-key')), /secret-key .* was changed/],
    [
      'the data folder has another key',
      () => writeFile(path.join(dataDir, 'secret-key'), `${'cd'.repeat(32)}\n`),
      /secret-key is not the key of the backup\. Move the file away/,
    ],
  ])('%s', async (_, damage, message) => {
    await damage()
    expect(await findFault()).toMatch(message)
  })

  test('a row violates a rule although all checksums match', async () => {
    const file = path.join(backup, 'tables/ratings.copy.gz')
    const text = gunzipSync(await readFile(file)).toString()
    const lines = text.split('\n').slice(1).join('\n')
    const bytes = gzipSync(`${lines}${text.split('\n')[0]?.replace(/^\d+\t\d+/, '999\t999999')}\n`)
    const content = gunzipSync(bytes)
    await writeFile(file, bytes)
    const sum = (data: Buffer) => ({ bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') })
    await changeManifest(({ tables }) => {
      const table = (tables as { name: string }[]).find(({ name }) => name === 'ratings')
      Object.assign(table ?? {}, { content: sum(content), file: sum(bytes) })
    }, true)
    const before = await summarize(target)
    // A review that somebody voted for is missing in the votes first.
    await expect(restore()).rejects.toThrow(
      /data that the database rejects \(rating(s|_votes): .*\)\. Nothing was restored/,
    )
    expect(await summarize(target)).toEqual(before)
    expect(existsSync(path.join(dataDir, 'secret-key'))).toBe(false)
  })

  test('the site has data', async () => {
    const pool = openPoolLike(target.pool, {})
    await migrate(pool)
    await pool.query(`insert into members (username, slug) values ('m', 'm')`)
    await pool.end()
    expect(await findFault()).toMatch(/This site has data/)
  })

  test('the database has tables of another program', async () => {
    await queryOnce(target.connection, 'create table another (id int)')
    expect(await findFault()).toMatch(/has tables of another program/)
  })

  test('the database has a newer schema', async () => {
    const old = await createDatabaseBefore('0061')
    await backUp(old.connection, path.join(folder, 'older'), site.data)
    const pool = openPoolLike(target.pool, {})
    await migrate(pool)
    await pool.end()
    expect(await findFault(() => restore(path.join(folder, 'older')))).toMatch(
      /newer schema \(migration 00\d\d-\S+\) than/,
    )
    await old.drop()
  })

  test('another restore is running', async () => {
    const other = new pg.Client(target.connection)
    await other.connect()
    await other.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
    expect(await findFault()).toMatch(/Another restore is running/)
    await other.end()
  })

  test('a site is running on the database', async () => {
    await target.pool.query('select')
    expect(await findFault()).toMatch(/A site is running on this database\. Stop it/)
  })
})

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file)
  const last = bytes.length - 12
  bytes[last] = (bytes[last] ?? 0) ^ 1
  await writeFile(file, bytes)
}
