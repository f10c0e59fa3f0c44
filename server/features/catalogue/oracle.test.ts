import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { findNaively, type NaiveScript } from '#tests/support/naive-catalogue.ts'
import { makeAuthors, insertScript, randomQuery, randomScript } from '#tests/support/random-catalogue.ts'

// The catalogue is fixed, the queries differ in every run.
const catalogue = fc.sample(randomScript, { seed: 20_260_101, numRuns: 120 })
const known: NaiveScript[] = []

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const authors = await makeAuthors(site.db)
  for (const script of catalogue) known.push(await insertScript(site.db, authors, script))
})
afterAll(() => site.close())

test('lists match a linear scan over all scripts, with the same ids in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(randomQuery, async ({ flags, ...input }) => {
      const entries = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])
      const url = `/api/scripts?${new URLSearchParams([...entries, ...flags.map((flag) => [flag, 'true'])])}`
      const response = await site.app.inject(url)
      expect(response.statusCode, response.payload).toBe(200)
      const { scripts, pagination } = response.json<ScriptList>()
      const expected = findNaively(known, { ...input, flags })
      expect({ ids: scripts.map(({ id }) => id), total: pagination.total }).toEqual(expected)
      expect(pagination.pages).toBe(Math.ceil(expected.total / pagination.limit))
    }),
    { numRuns: 400 },
  )
})
