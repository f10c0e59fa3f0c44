import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3 } from '#tests/support/s3.ts'
import { type MediaStore, openFileStore, openS3Store } from './store.ts'

interface StoreFixture {
  store: MediaStore
  close: () => Promise<void> | void
}

const makeFolder = () => mkdtempSync(path.join(tmpdir(), 'scriptyard-media-'))

async function openS3(): Promise<StoreFixture> {
  const s3 = await startS3()
  return { store: openS3Store(s3.settings), close: () => s3.close() }
}

function openFiles(): StoreFixture {
  const folder = makeFolder()
  return { store: openFileStore(path.join(folder, 'media')), close: () => rmSync(folder, { recursive: true }) }
}

async function listAll(store: MediaStore) {
  const files = []
  for await (const batch of store.list()) files.push(...batch)
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

describe.each<[string, () => StoreFixture | Promise<StoreFixture>]>([
  ['file storage', openFiles],
  ['S3-compatible storage', openS3],
])('%s', (_name, open) => {
  let fixture: StoreFixture
  let store: MediaStore
  beforeAll(async () => {
    fixture = await open()
    store = fixture.store
  })
  afterAll(() => fixture.close())

  test('is empty at first', async () => {
    expect(await listAll(store)).toEqual([])
    expect(await store.get('aa.webp')).toBeUndefined()
    expect(await store.has('aa.webp')).toBe(false)
  })

  test('returns the newest file of a name unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
    await store.put('ab1.webp', Buffer.from('former'))
    await store.put('ab1.webp', bytes)
    expect(await store.get('ab1.webp')).toEqual(bytes)
    expect(await store.has('ab1.webp')).toBe(true)
  })

  test('accepts concurrent writes to one name', async () => {
    await Promise.all(Array.from({ length: 5 }, () => store.put('ac1.webp', Buffer.from('one'))))
    expect(await store.get('ac1.webp')).toEqual(Buffer.from('one'))
    expect((await listAll(store)).filter(({ name }) => name.startsWith('ac'))).toHaveLength(1)
  })

  test('removes files idempotently', async () => {
    await store.put('ad1.webp', Buffer.from('one'))
    await store.put('ad2.webp', Buffer.from('two'))
    await store.remove('ad1.webp')
    await store.remove('ad1.webp')
    expect(await store.get('ad1.webp')).toBeUndefined()
    expect(await store.has('ad1.webp')).toBe(false)
    expect(await store.get('ad2.webp')).toEqual(Buffer.from('two'))
  })

  test('lists all files with their modification times', async () => {
    const before = Date.now() - 2000
    await Promise.all(['ae1.webp', 'ae2.webp', 'bf1.webp'].map((name) => store.put(name, Buffer.from(name))))
    const found = (await listAll(store)).filter(({ name }) => /^(ae|bf)/.test(name))
    expect(found.map(({ name }) => name)).toEqual(['ae1.webp', 'ae2.webp', 'bf1.webp'])
    for (const { changedAt } of found) {
      expect(changedAt.getTime()).toBeGreaterThan(before)
      expect(changedAt.getTime()).toBeLessThan(Date.now() + 2000)
    }
  })
})

describe('file storage', () => {
  test('leaves no temporary file behind if a file cannot be renamed', async () => {
    const folder = makeFolder()
    mkdirSync(path.join(folder, 'ab', 'abc.webp', 'in the way'), { recursive: true })
    await expect(openFileStore(folder).put('abc.webp', Buffer.from('one'))).rejects.toThrow(/.+/)
    expect(readdirSync(path.join(folder, 'ab'))).toEqual(['abc.webp'])
    rmSync(folder, { recursive: true })
  })

  test('lists temporary files that a crash left behind', async () => {
    const folder = makeFolder()
    mkdirSync(path.join(folder, 'ab'))
    writeFileSync(path.join(folder, 'ab', 'abc.webp.012345678901'), 'hal')
    writeFileSync(path.join(folder, 'stray'), '')
    expect((await listAll(openFileStore(folder))).map(({ name }) => name)).toEqual(['abc.webp.012345678901'])
    rmSync(folder, { recursive: true })
  })
})

describe('S3-compatible storage', () => {
  test('lists more than one page, and only files under its prefix', async () => {
    const s3 = await startS3()
    const store = openS3Store(s3.settings, { pageSize: 2 })
    const names = ['a1.webp', 'a2.webp', 'a3.webp', 'a4.webp', 'a5.webp']
    for (const name of names) await store.put(name, Buffer.from(name))
    expect((await listAll(store)).map(({ name }) => name)).toEqual(names)
    expect(s3.keys()).toEqual(names.map((name) => `media/${name}`))
    await s3.close()
  })

  test.each([
    ['the secret key is wrong', { secretAccessKey: 'not-the-key' }],
    ['the bucket does not exist', { bucket: 'nowhere' }],
  ])('is unavailable, without exposing keys, if %s', async (_name, wrong) => {
    const s3 = await startS3()
    const store = openS3Store({ ...s3.settings, ...wrong })
    const failure = await store.put('a1.webp', Buffer.from('one')).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'media_away', status: 503 })
    expect(inspect(failure, { depth: 9 })).not.toContain('not-the-key')
    await expect(listAll(store)).rejects.toMatchObject({ code: 'media_away' })
    await s3.close()
  })

  test('is unavailable if the server does not respond', async () => {
    const s3 = await startS3()
    await s3.close()
    const store = openS3Store(s3.settings)
    const unavailable = { code: 'media_away', status: 503 }
    await expect(store.put('a.webp', Buffer.from('a'))).rejects.toMatchObject(unavailable)
    await expect(store.get('a.webp')).rejects.toMatchObject(unavailable)
    await expect(store.has('a.webp')).rejects.toMatchObject(unavailable)
    await expect(store.remove('a.webp')).rejects.toMatchObject(unavailable)
    await expect(listAll(store)).rejects.toMatchObject(unavailable)
  })
})
