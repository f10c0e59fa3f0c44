import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { CatalogueIndex } from '../src/catalogue-index.ts'
import type { CatalogueDocument, IndexTuning } from '../src/schema.ts'
import type { ShardSource } from '../src/shards/filling.ts'
import type { ShardTuning } from '../src/shards/shard-set.ts'
import { ShardedIndex } from '../src/shards/sharded-index.ts'
import { NaiveCatalogue, TINY_TUNING } from '../src/testing.ts'
import type { TagInfo } from '../src/vocabulary.ts'
import {
  content,
  DOCUMENTS,
  LABELS,
  naiveDocument,
  type Query,
  query,
  readQuery,
  TAGS,
  type Wanted,
  WORDS,
} from './random-catalogue.ts'
import { type Flag, makeDocument, NO_FILTER, SCHEMA, type Sort } from './support.ts'

type Shards = ShardedIndex<Flag, Sort>

const SEED = Number(process.env['TEST_SEED'] ?? 1)
/** A usual run checks this share of the random cases. */
const SHARE = process.env['TEST_FULL'] === '1' ? 1 : 0.4
/** Every page needs several rounds, from both ends, and tags are found a few at a time. */
const TINY_SHARDING: Partial<ShardTuning> = { deviations: 0, maxBlindDocuments: 3, tagFactor: 0 }

class Catalogue implements ShardSource {
  readonly naive = new NaiveCatalogue(SCHEMA)
  readonly single: CatalogueIndex<Flag, Sort>

  constructor(tuning: Partial<IndexTuning> | undefined) {
    this.single = new CatalogueIndex(SCHEMA, tuning)
    for (const tag of TAGS) this.single.addTag(tag)
    for (const [i, made] of fc.sample(content, { numRuns: DOCUMENTS, seed: SEED }).entries())
      this.put(naiveDocument(i + 1, made))
  }

  put(document: ReturnType<typeof naiveDocument>): CatalogueDocument {
    this.naive.put(document)
    this.single.put(document.document)
    return document.document
  }

  remove(id: number): void {
    this.naive.documents.delete(id)
    this.single.remove(id)
  }

  maxId(): number {
    return DOCUMENTS
  }

  async read(filler: Parameters<ShardSource['read']>[0]): Promise<void> {
    for (const tag of TAGS) filler.addTag(tag)
    for (const id of [...this.naive.documents.keys()].toSorted((a, b) => a - b)) {
      const known = this.naive.documents.get(id)
      if (known) filler.add(known.document)
      await filler.drained()
    }
  }
}

async function walk(shards: Shards, asked: Query): Promise<number[]> {
  let page = await shards.find({ ...asked, offset: 0 })
  const ids = [...page.ids]
  while (page.next !== undefined) {
    page = await shards.findAfter(asked, page.next)
    ids.push(...page.ids)
  }
  return ids
}

describe.each([
  { count: 1, thresholds: 'tiny', tuning: TINY_TUNING, sharding: TINY_SHARDING },
  { count: 3, thresholds: 'tiny', tuning: TINY_TUNING, sharding: TINY_SHARDING },
  { count: 4, thresholds: 'default', tuning: undefined, sharding: {} },
])('$count shards with $thresholds thresholds', ({ count, tuning, sharding }) => {
  const catalogue = new Catalogue(tuning)
  const { naive, single } = catalogue
  let shards: Shards

  beforeAll(async () => {
    shards = await ShardedIndex.open({ schema: SCHEMA, shards: count, source: catalogue, tuning, sharding })
  })
  afterAll(() => shards.close())

  const totalOf = (wanted: Wanted) => naive.filter({ ...NO_FILTER, ...wanted }).length
  const check = (property: fc.IAsyncProperty<unknown[]>, numRuns: number) =>
    fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: Math.ceil(numRuns * SHARE), seed: SEED })

  async function comparePages(wanted: Wanted) {
    const total = totalOf(wanted)
    const asked = readQuery(wanted, total)
    const expected = naive.find(asked)
    const { next, ...found } = await shards.find(asked)
    expect({ asked, ...found }).toEqual({ asked, ...expected })
    expect(next !== undefined).toBe(found.ids.length > 0 && asked.offset + 20 < total)
  }

  test('find the pages that one index finds', async () => {
    await check(fc.asyncProperty(query, comparePages), 250)
  })

  test('find all documents by following cursors', async () => {
    const limits = fc.constantFrom(1, 7, 20, 100)
    await check(
      fc.asyncProperty(query, limits, async (wanted, limit) => {
        const asked = { ...readQuery(wanted, 0), limit: limit === 1 && totalOf(wanted) > 50 ? 20 : limit }
        const expected = naive.find({ ...asked, offset: 0, limit: DOCUMENTS * 2 })
        expect({ asked, ids: await walk(shards, asked) }).toEqual({ asked, ids: expected.ids })
      }),
      60,
    )
  })

  test('count facets like one index', async () => {
    await check(
      fc.asyncProperty(query, fc.constantFrom(0, 1, 5, 100), async (wanted, maxTags) => {
        const options = { maxTags, labels: [...LABELS, 'none'] }
        const expected = single.facets({ ...NO_FILTER, ...wanted }, options)
        expect(await shards.facets({ ...NO_FILTER, ...wanted }, options)).toEqual(expected)
      }),
      100,
    )
  })

  test('complete and count tags like one index', async () => {
    const prefixes = fc.uniqueArray(fc.constantFrom(...WORDS, 'r', 'none'), { maxLength: 2 })
    await check(
      fc.asyncProperty(prefixes, fc.nat(3), fc.integer({ min: 1, max: 8 }), async (words, field, limit) => {
        expect(await shards.complete(words, { field, limit })).toEqual(single.complete(words, { field, limit }))
        expect(await shards.tags(limit)).toEqual(single.tags(limit))
        for (const prefix of ['tag1', 'tag', 'none', '']) {
          expect(await shards.completeTags(prefix, limit)).toEqual(single.completeTags(prefix, limit))
        }
      }),
      60,
    )
  })

  test('find related documents like one index', async () => {
    const related = fc.record({
      tags: fc.uniqueArray(fc.constantFrom(...TAGS.map(({ name }) => name), 'none'), { maxLength: 9 }),
      author: fc.integer({ min: 1, max: 21 }),
      limit: fc.integer({ min: 1, max: 8 }),
    })
    await check(
      fc.asyncProperty(related, async (asked) => {
        expect(await shards.related(asked)).toEqual(single.related(asked))
      }),
      100,
    )
  })

  test('suggest like one index', async () => {
    const words = fc.uniqueArray(
      fc.constantFrom('abcd', 'rar', 'rate', 'rrare', 'rarest', 'raer', 'abd', 'zzz', ...WORDS),
      {
        maxLength: 4,
      },
    )
    await check(
      fc.asyncProperty(words, query, async (misspelled, wanted) => {
        const filter = { ...NO_FILTER, ...wanted, words: misspelled }
        expect(await shards.suggest(filter)).toEqual(single.suggest(filter))
      }),
      100,
    )
  })

  const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: DOCUMENTS + 200 }), fc.option(content)), {
    minLength: 1,
    maxLength: 12,
  })
  function change(made: [number, ReturnType<typeof content.generate>['value'] | null][]) {
    const last = new Map(made)
    const documents: CatalogueDocument[] = []
    const removed: number[] = []
    for (const [id, next] of last) {
      if (next) documents.push(catalogue.put(naiveDocument(id, next)))
      else {
        catalogue.remove(id)
        removed.push(id)
      }
    }
    return { documents, removed }
  }

  test('stay equal to one index while documents change', async () => {
    await check(
      fc.asyncProperty(changes, query, query, async (made, one, other) => {
        const { documents, removed } = change(made)
        // Queries see the changes at once.
        const applied = shards.apply(documents, removed)
        await comparePages(one)
        await applied
        await comparePages(other)
      }),
      100,
    )
    const counted = await shards.statistics()
    expect(counted.reduce((sum, { documents }) => sum + documents, 0)).toBe(naive.documents.size)
  })

  test('a query during a change sees all of it or nothing', async () => {
    await check(
      fc.asyncProperty(changes, query, async (made, wanted) => {
        const asked = readQuery(wanted, totalOf(wanted))
        const before = naive.find(asked)
        const running = [shards.find(asked), shards.find(asked)]
        const { documents, removed } = change(made)
        const applied = shards.apply(documents, removed)
        running.push(shards.find(asked))
        const after = naive.find(asked)
        for (const { ids, total } of await Promise.all(running)) expect([before, after]).toContainEqual({ ids, total })
        await applied
      }),
      60,
    )
  })

  test('a cursor continues at its position when its document is removed or moved', async () => {
    await check(
      fc.asyncProperty(query, fc.boolean(), content, async (wanted, isRemoved, next) => {
        const asked = { ...readQuery(wanted, 0), offset: 0, limit: 5 }
        const page = await shards.find(asked)
        const last = page.ids.at(-1)
        if (page.next === undefined || last === undefined) return
        const remaining = naive.find({ ...asked, offset: 5, limit: DOCUMENTS * 2 }).ids
        const changed: [number, typeof next | null] = [last, isRemoved ? null : next]
        const { documents, removed } = change([changed])
        await shards.apply(documents, removed)
        const { ids } = await shards.findAfter({ ...asked, limit: DOCUMENTS * 2 }, page.next)
        expect(ids.filter((id) => id !== last)).toEqual(remaining)
      }),
      60,
    )
  })
})

describe('the processes', () => {
  const catalogue = new Catalogue(undefined)
  const all = { ...NO_FILTER, sort: 'title', order: 'asc', offset: 0, limit: 20 } as const
  let shards: Shards | undefined

  const openShards = async (options: Partial<Parameters<typeof ShardedIndex.open<Flag, Sort, TagInfo>>[0]> = {}) => {
    shards = await ShardedIndex.open({ schema: SCHEMA, shards: 2, source: catalogue, ...options })
    return shards
  }
  afterEach(() => shards?.close())

  test('a killed shard is filled again; until then queries fail and changes wait', async () => {
    const failures: string[] = []
    const index = await openShards({
      sharding: { restartMs: 1 },
      onFailure: (shard, reason) => failures.push(`${shard}: ${reason}`),
    })
    const [victim = 0] = index.processIds
    const running = Promise.allSettled(Array.from({ length: 50 }, () => index.find(all)))
    process.kill(victim, 'SIGKILL')
    await vi.waitUntil(() => !index.isReady)
    await expect(index.find(all)).rejects.toMatchObject({ code: 'shard_unavailable', shard: 0 })
    const outcomes = (await running).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : String(result.value.ids),
    )
    expect(['shard_unavailable', String(catalogue.single.find(all).ids)]).toEqual(
      expect.arrayContaining([...new Set(outcomes)]),
    )
    const ids = [1, 2, 3, 4]
    for (const id of ids) catalogue.remove(id)
    const added = catalogue.put({ document: makeDocument(5000, new Map()), words: new Map(), tagNames: [] })
    await index.apply([added], ids)
    await vi.waitUntil(() => index.isReady, { timeout: 20_000 })
    const { next: _next, ...found } = await index.find({ ...all, limit: 1000 })
    expect(found).toEqual(catalogue.single.find({ ...all, limit: 1000 }))
    expect(failures).toEqual(['0: its process exited (SIGKILL)'])
    expect(index.processIds).not.toContain(victim)
  })

  test('a source that fails is asked again', async () => {
    let fails = 0
    const source: ShardSource = {
      maxId: () => DOCUMENTS,
      read: (filler) => (fails-- > 0 ? Promise.reject(new Error('no database')) : catalogue.read(filler)),
    }
    const failures: string[] = []
    const index = await openShards({
      source,
      sharding: { restartMs: 1 },
      onFailure: (_, reason) => failures.push(reason),
    })
    fails = 2
    process.kill(index.processIds[1] ?? 0, 'SIGKILL')
    await vi.waitUntil(() => !index.isReady)
    await vi.waitUntil(() => index.isReady, { timeout: 20_000 })
    expect((await index.find(all)).ids).toEqual(catalogue.single.find(all).ids)
    expect(failures).toEqual(['its process exited (SIGKILL)', 'no database', 'no database'])
  })

  test('an index whose source fails at first is not opened', async () => {
    const source: ShardSource = { maxId: () => 1, read: () => Promise.reject(new Error('no database')) }
    await expect(openShards({ source })).rejects.toThrow('no database')
  })

  test('a query on a slow shard times out, and a shard that hangs is restarted', async () => {
    const failures: string[] = []
    const index = await openShards({
      sharding: { timeoutMs: 60, hangMs: 200, restartMs: 1 },
      onFailure: (_, reason) => failures.push(reason),
    })
    const [slow = 0] = index.processIds
    process.kill(slow, 'SIGSTOP')
    await expect(index.find(all)).rejects.toMatchObject({ code: 'shard_timeout', shard: 0 })
    process.kill(slow, 'SIGCONT')
    await vi.waitUntil(() =>
      index.find(all).then(
        ({ ids }) => ids.length === 20,
        () => false,
      ),
    )
    expect(failures).toEqual([])
    process.kill(slow, 'SIGSTOP')
    const hasFailed = async () => {
      await index.find(all).catch(() => {})
      return failures.length > 0
    }
    await vi.waitUntil(hasFailed, { timeout: 20_000 })
    await vi.waitUntil(() => index.isReady, { timeout: 20_000 })
    expect((await index.find(all)).ids).toEqual(catalogue.single.find(all).ids)
    expect(failures).toEqual(['it did not answer for 200 ms'])
  })

  test('a document with an unknown tag fails the change, and its shard is filled again', async () => {
    const index = await openShards({ sharding: { restartMs: 1 } })
    await expect(index.apply([makeDocument(1, new Map(), { tags: [999] })])).rejects.toThrow('unknown tag 999')
    await vi.waitUntil(() => index.isReady, { timeout: 20_000 })
    expect((await index.find(all)).ids).toEqual(catalogue.single.find(all).ids)
    index.addTag({ id: 999, name: 'later' })
    await index.apply([makeDocument(1, new Map(), { tags: [999] })])
    expect((await index.find({ ...all, tags: ['later'] })).ids).toEqual([1])
  })

  test('rejects unknown names and cursors of other orders', async () => {
    const index = await openShards()
    await expect(index.find({ ...all, sort: 'color' as Sort })).rejects.toThrow(RangeError)
    const { next = '' } = await index.find(all)
    await expect(index.findAfter({ ...all, order: 'desc' }, next)).rejects.toThrow(RangeError)
    await expect(index.findAfter({ ...all, sort: 'newest' }, next)).rejects.toThrow(RangeError)
    for (const cursor of ['', 'no cursor', Buffer.from('{}').toString('base64url')]) {
      await expect(index.findAfter(all, cursor)).rejects.toThrow(RangeError)
    }
    expect(index.isReady).toBe(true)
  })

  test('are restored from files', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'shards-'))
    const index = await openShards()
    await index.save(folder)
    await expect(index.save(folder)).rejects.toThrow('EEXIST')
    await index.close()
    const restored = await openShards({
      folder,
      source: { maxId: () => DOCUMENTS, read: () => Promise.reject(new Error()) },
    })
    expect((await restored.find(all)).ids).toEqual(catalogue.single.find(all).ids)
    expect(await restored.tags(5)).toEqual(catalogue.single.tags(5))
    await expect(openShards({ folder, shards: 3 })).rejects.toThrow('ENOENT')
    await restored.close()
    await rm(folder, { recursive: true })
  })

  test('end with the index', async () => {
    const index = await openShards()
    const running = index.find(all)
    const pids = index.processIds
    await Promise.all([expect(running).rejects.toMatchObject({ code: 'shard_unavailable' }), index.close()])
    for (const pid of pids) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
    await expect(index.find(all)).rejects.toThrow('the index was closed')
  })
})
