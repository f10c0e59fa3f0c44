import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { startS3, type TestS3 } from '#tests/support/s3.ts'
import { openStorage } from './storage.ts'
import { downloadBackup, removeBackup, requireUnused, uploadBackup } from './transfer.ts'

let folder: string
let s3: TestS3
let bucket: Exclude<StorageLocation, string>
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-transfer-'))
  s3 = await startS3()
  bucket = { ...s3.settings, prefix: 'a/b' }
})
afterEach(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

describe.each([
  ['a folder', () => path.join(folder, 'storage')],
  ['S3-compatible storage', () => bucket],
])('%s', (_name, locate) => {
  test('stores, replaces, lists and removes objects', async () => {
    const storage = openStorage(locate())
    expect(await storage.list('')).toEqual([])
    expect(await storage.read('one/two')).toBeUndefined()
    await storage.put('one/two', Buffer.from('former'))
    await storage.put('one/two', Buffer.from('content'))
    await storage.put('three', Buffer.from(''))
    expect(String(await storage.read('one/two'))).toBe('content')
    const objects = (await storage.list('')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(objects.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['one/two', 7],
      ['three', 0],
    ])
    expect((await storage.list('one/')).map(({ name }) => name)).toEqual(['one/two'])
    await storage.remove('one/two')
    await storage.remove('one/two')
    expect(await storage.read('one/two')).toBeUndefined()
  })

  test('stores streams of more than one part', async () => {
    const storage = openStorage(locate())
    const chunk = randomBytes(1_000_000)
    const chunks = Array.from({ length: 40 }, () => chunk)
    await storage.put('large', Readable.from(chunks))
    expect((await buffer(storage.open('large'))).equals(Buffer.concat(chunks))).toBe(true)
  })

  test('has nothing of a stream that fails', async () => {
    const storage = openStorage(locate())
    const failing = Readable.from(
      (async function* () {
        yield randomBytes(40_000_000)
        throw new Error('broken')
      })(),
    )
    await expect(storage.put('large', failing)).rejects.toThrow(/broken/)
    expect(await storage.list('')).toEqual([])
    expect(s3.openUploads()).toBe(0)
  })
})

async function writeFiles(): Promise<string> {
  const source = path.join(folder, 'source')
  await mkdir(path.join(source, 'media/ab'), { recursive: true })
  await writeFile(path.join(source, 'backup.json'), '{}')
  await writeFile(path.join(source, 'media/ab/image'), 'image')
  return source
}

describe('a backup in S3-compatible storage', () => {
  test('is downloaded as it was, and removed whole', async () => {
    const source = await writeFiles()
    const storage = openStorage(bucket)
    await requireUnused(storage)
    await uploadBackup(source, storage)
    await expect(requireUnused(storage)).rejects.toThrow('s3://images/a/b exists already.')
    const target = path.join(folder, 'target')
    await mkdir(target)
    await downloadBackup(storage, target)
    expect(await readFile(path.join(target, 'media/ab/image'), 'utf8')).toBe('image')
    expect(readdirSync(target).toSorted()).toEqual(['backup.json', 'media'])
    await removeBackup(storage)
    expect(s3.keys()).toEqual([])
  })

  test('is not one until the last file is there', async () => {
    const source = await writeFiles()
    const storage = openStorage(bucket)
    s3.failOn(({ method, key }) => method === 'PUT' && key.endsWith('image'))
    await expect(uploadBackup(source, storage)).rejects.toThrow(/s3:\/\/images\/a\/b cannot be reached \(status 500\)/)
    s3.failOn(({ method, key }) => method === 'PUT' && key.endsWith('backup.json'))
    await expect(uploadBackup(source, storage)).rejects.toThrow(/status 500/)
    s3.failOn(() => false)
    expect(s3.keys()).toEqual(['a/b/media/ab/image'])
    await expect(downloadBackup(storage, folder)).rejects.toThrow('There is no backup in s3://images/a/b')
    await expect(requireUnused(storage)).rejects.toThrow(/upload is in progress or was interrupted/)
  })

  test('is rejected if the storage changes a file', async () => {
    const source = await writeFiles()
    const put = s3.objects.set.bind(s3.objects)
    s3.objects.set = (key, object) => put(key, { ...object, bytes: Buffer.from('other') })
    await expect(uploadBackup(source, openStorage(bucket))).rejects.toThrow(/media\/ab\/image has other content/)
    expect(s3.keys()).not.toContain('a/b/backup.json')
  })

  test('cannot write outside of the folder', async () => {
    const storage = openStorage(bucket)
    await storage.put('backup.json', Buffer.from('{}'))
    s3.objects.set('a/b/../outside', { bytes: Buffer.from('x'), changedAt: new Date() })
    const target = path.join(folder, 'deep')
    await mkdir(target)
    await downloadBackup(storage, target)
    expect(existsSync(path.join(folder, 'outside'))).toBe(false)
  })
})

test.each([
  [{ secretAccessKey: 'not-the-key' }, /s3:\/\/images\/a\/b rejects the site/],
  [{ bucket: 'nowhere' }, /There is no bucket nowhere/],
  [{ endpoint: 'http://127.0.0.1:1' }, /cannot be reached/],
])('storage with %o is reported without keys', async (wrong, message) => {
  const failure = await openStorage({ ...bucket, ...wrong })
    .list('')
    .catch((error: Error) => error.message)
  expect(failure).toMatch(message)
  expect(failure).not.toContain('not-the-key')
})
