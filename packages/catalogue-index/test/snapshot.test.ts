import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CatalogueIndex } from '../src/catalogue-index.ts'
import type { CatalogueSchema } from '../src/schema.ts'
import { readSnapshot, writeSnapshot } from '../src/snapshot.ts'
import { makeDocument, NO_FILTER, SCHEMA } from './support.ts'

function makeIndex(): CatalogueIndex {
  const index = new CatalogueIndex(SCHEMA) as CatalogueIndex
  index.addTag({ id: 7, name: 'ui' })
  for (let id = 1; id <= 100; id++) {
    const words = new Map([[`word${id % 9}`, id % 4] as const, ['all', 3] as const])
    const values = { created: id / 3, downloads: (id * 7) % 31, ratings: id % 5, stars: (id % 5) * 3, shown: id % 4 }
    index.put(
      makeDocument(id, words, {
        author: id % 6,
        flags: id % 8,
        tags: id % 2 ? [7] : [],
        labels: [`label${id % 5}`],
        values,
      }),
    )
  }
  for (let id = 1; id <= 100; id += 10) index.remove(id)
  return index
}

const page = { order: 'desc', offset: 5, limit: 20 } as const
const answersOf = (index: CatalogueIndex) =>
  [...Object.keys(SCHEMA.sorts), 'relevance'].flatMap((sort) => [
    index.find({ ...NO_FILTER, ...page, sort }),
    index.find({ ...NO_FILTER, ...page, sort, words: ['word1'], flags: ['featured'] }),
    index.find({ ...NO_FILTER, ...page, sort, labels: ['label1'], excludedLabels: ['label2'] }),
    index.find({ ...NO_FILTER, ...page, sort, tags: ['ui'], author: 3, minimums: [{ value: 'average', min: 1 }] }),
  ])

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'catalogue-index-'))
  file = path.join(folder, 'snapshot')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function withFile<T>(flags: string, run: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags)
  try {
    return await run(handle)
  } finally {
    await handle.close()
  }
}

test('an index that was written and read answers as before, also after changes', async () => {
  const index = makeIndex()
  const data = await index.save()
  await withFile('wx', (handle) => writeSnapshot(handle, data, { checkpoint: 5 }))
  const read = await withFile('r', readSnapshot)
  expect(read.header).toEqual({ checkpoint: 5 })
  const restored = await CatalogueIndex.load(SCHEMA, read.data)
  expect(answersOf(restored as CatalogueIndex)).toEqual(answersOf(index))
  for (const one of [index, restored as CatalogueIndex]) {
    one.remove(5)
    one.put(makeDocument(101, new Map([['word1', 0]]), { flags: 1, tags: [7] }))
    one.put(makeDocument(6, new Map([['fresh', 0]])))
  }
  expect(answersOf(restored as CatalogueIndex)).toEqual(answersOf(index))
})

test('a snapshot is complete when the system writes only a part of what it is given', async () => {
  const index = makeIndex()
  const data = await index.save()
  await withFile('wx', async (handle) => {
    const write = (bytes: Uint8Array, offset: number, length: number, position: number) =>
      handle.write(bytes, offset, Math.ceil(length / 3), position)
    const partial = { write, truncate: (length: number) => handle.truncate(length) }
    await writeSnapshot(partial as unknown as FileHandle, data)
  })
  const read = await withFile('r', readSnapshot)
  expect(answersOf((await CatalogueIndex.load(SCHEMA, read.data)) as CatalogueIndex)).toEqual(answersOf(index))
})

test('a copy does not follow later changes', async () => {
  const index = makeIndex()
  const before = answersOf(index)
  const copy = await index.save()
  for (let id = 1; id <= 50; id++) index.remove(id)
  expect(answersOf((await CatalogueIndex.load(SCHEMA, copy)) as CatalogueIndex)).toEqual(before)
})

const damages: [string, string, () => void][] = [
  ['truncated', 'truncated', () => truncateSync(file, 2000)],
  ['empty', 'not a snapshot', () => writeFileSync(file, '')],
  ['another file', 'not a snapshot', () => writeFileSync(file, 'x'.repeat(5000))],
  [
    'damaged by one bit',
    'checksum mismatch',
    () => {
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
      writeFileSync(file, bytes)
    },
  ],
]
test.each(damages)('a file that is %s is rejected: %s', async (_, message, damage) => {
  const data = await makeIndex().save()
  await withFile('wx', (handle) => writeSnapshot(handle, data))
  damage()
  await expect(withFile('r', readSnapshot)).rejects.toThrow(message)
})

describe('the version', () => {
  const versionOf = async (schema: CatalogueSchema) => (await new CatalogueIndex(schema).save()).version

  const changes: [string, CatalogueSchema][] = [
    ['another flag', { ...SCHEMA, flags: [...SCHEMA.flags, 'verified'] }],
    ['flags in another order', { ...SCHEMA, flags: SCHEMA.flags.toReversed() }],
    ['another sort', { ...SCHEMA, sorts: { ...SCHEMA.sorts, oldest: ['created'] } }],
    ['another meaning of a sort', { ...SCHEMA, sorts: { ...SCHEMA.sorts, popular: ['ratings'] } }],
    [
      'another prior of an average',
      { ...SCHEMA, averages: { ...SCHEMA.averages, average: { sum: 'stars', count: 'ratings', priorSum: 1 } } },
    ],
    ['another field', { ...SCHEMA, fields: [...SCHEMA.fields, { name: 'notes', weight: 1 }] }],
    ['other labels', { ...SCHEMA, labelVersion: 2 }],
    ['other frequent labels', { ...SCHEMA, frequentLabels: ['often'] }],
    ['another type of a column', { ...SCHEMA, columns: { ...SCHEMA.columns, downloads: 'float64' } }],
  ]
  test.each(changes)('changes with %s, and the old snapshot is rejected', async (_, schema) => {
    expect(await versionOf(schema)).not.toBe(await versionOf(SCHEMA))
    await expect(CatalogueIndex.load(schema, await makeIndex().save())).rejects.toThrow('another schema or layout')
  })

  test('depends on the schema only and not on documents', async () => {
    expect((await makeIndex().save()).version).toBe(await versionOf(structuredClone(SCHEMA)))
  })

  // A snapshot of a build that encodes sections differently must not be read. If this test fails because the meaning of a
  // section's bytes changed, increment ENCODING in snapshot.ts and set the new hashes here.
  test('changes when the encoding of the sections changes', async () => {
    const { version, sections } = await makeIndex().save()
    const hash = createHash('sha256')
    for (const { name, bytes } of sections) hash.update(name).update(bytes)
    expect({ version, content: hash.digest('hex').slice(0, 16) }).toEqual({
      version: '54c849a1d495e9c3',
      content: 'fa80e663bbc0d48e',
    })
  })
})
