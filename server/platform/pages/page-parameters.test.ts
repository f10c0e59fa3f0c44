import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scriptSlug } from '#contract/slug.ts'
import { openBuiltRenderer } from './renderer.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let database: TestDatabase
let site: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAppOn(database, database.pool, {}, { web: 'built' })
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

/** Pages that read parameters and, rendered for visitors, ask them to sign in whatever these are. */
const WITHOUT_DATA = new Set(['/dashboard'])

/** The paths in web/routes.tsx with the parts of their URLs replaced. */
function pathsOf(parts: Record<string, string>): string[] {
  const patterns = [...readFileSync('web/routes.tsx', 'utf8').matchAll(/\bpage\('([^']+)'/g)].map(
    ([, path = '']) => path,
  )
  return patterns.map((path) =>
    path.replace('?', '').replace(/:(\w+)/g, (_match, name: string) => parts[`${path.split('/')[1]} ${name}`] ?? '1'),
  )
}

test('the server drops no query parameter that a page reads while it is rendered', async () => {
  const author_id = await makeMember(site.db)
  const script = scriptSlug('Camera shake', await makeScript(site.db, { author_id, title: 'Camera shake' }))
  const { slug } = await site.db
    .selectFrom('members')
    .select('slug')
    .where('id', '=', author_id)
    .executeTakeFirstOrThrow()
  const collection = await site.db
    .insertInto('collections')
    .values({ owner_id: author_id, name: 'Tools', is_public: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const paths = pathsOf({
    'scripts slug': script,
    'profile slug': slug,
    'collections slug': scriptSlug('Tools', collection.id),
  })
  expect(paths.length).toBeGreaterThan(15)
  const get = vi.spyOn(URLSearchParams.prototype, 'get')
  const has = vi.spyOn(URLSearchParams.prototype, 'has')
  for (const path of paths.filter((each) => !WITHOUT_DATA.has(each))) {
    const { statusCode } = await site.app.inject(path)
    expect(statusCode, path).toBeLessThan(500)
  }
  const read = new Set([...get.mock.calls, ...has.mock.calls].map(([name]) => name))
  vi.restoreAllMocks()
  expect(read).toContain('search')
  const { parameters } = await openBuiltRenderer('dist')
  expect([...read].filter((name) => !parameters.includes(name))).toEqual([])
})
