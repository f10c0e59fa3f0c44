import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { writeStructuredData } from './page-state.ts'
import { structuredData } from './structured-data.ts'
import { DEFAULT_SITE } from '#contract/default-site.ts'

/** The parts of the JSON-LD processor that the test uses; the package has no types. */
interface JsonLd {
  flatten(
    document: object,
    context: null,
    options: { documentLoader: (url: string) => Promise<{ document: object; documentUrl: string }> },
  ): Promise<Record<string, unknown>[]>
}
const require = createRequire(import.meta.url)
const jsonld = require('jsonld') as JsonLd

const SITE = { ...DEFAULT_SITE, name: 'Yard', public_url: 'https://yard.example' }
const root = { site: SITE, now: '2026-01-01T00:00:00.000Z' }
const script = {
  id: 7,
  slug: 'fish-ü-7',
  title: 'Fish </script><b>',
  summary: 'Moves fish.',
  version: '1.2',
  created_at: '2026-01-02T00:00:00.000Z',
  updated_at: '2026-01-03T00:00:00.000Z',
  tags: [{ id: 1, name: 'ui', color: '#fff' }],
  is_free: true,
  is_public: true,
  author_name: 'Ada',
  author_slug: 'ada',
  image: '/media/x.webp',
  license: 'MIT',
  download_count: 12,
  rating_average: 4.5,
  rating_count: 2,
}
const describeScript = (changes: object = {}) =>
  structuredData(
    {
      root,
      'web/features/script/script-page.tsx': {
        script: { ...script, ...changes },
        description: { description: 'Fish.' },
      },
    },
    '/scripts/fish-ü-7',
  )

/** The things of a document by type, as a processor of JSON-LD reads them, with every term resolved. */
async function readThings(data: object | undefined): Promise<Map<string, Record<string, unknown>>> {
  const block = writeStructuredData(data ?? {})
  const json = block.replace('<script type="application/ld+json">', '').replace(/<\/script>$/, '')
  expect(json).not.toContain('<')
  const context = { '@context': { '@vocab': 'https://schema.org/' } }
  const things = await jsonld.flatten(JSON.parse(json) as object, null, {
    documentLoader: (documentUrl) => Promise.resolve({ document: context, documentUrl }),
  })
  return new Map(things.map((thing) => [(thing['@type'] as string[] | undefined)?.[0] ?? '', thing]))
}

const term = (name: string) => `https://schema.org/${name}`
const valueOf = (thing: Record<string, unknown> | undefined, name: string) =>
  (thing?.[term(name)] as { '@value'?: unknown }[] | undefined)?.map((value) => value['@value'])

test('describes a script with its author, rating, license and breadcrumbs', async () => {
  const things = await readThings(describeScript())
  const code = things.get(term('SoftwareSourceCode'))
  expect(code?.['@id']).toBe('https://yard.example/scripts/fish-%C3%BC-7')
  expect(valueOf(code, 'name')).toEqual(['Fish </script><b>'])
  expect(valueOf(code, 'license')).toEqual(['https://spdx.org/licenses/MIT.html'])
  expect(valueOf(code, 'image')).toEqual(['https://yard.example/media/x.webp'])
  expect(valueOf(things.get(term('ComputerLanguage')), 'name')).toEqual(['Luau'])
  expect(valueOf(things.get(term('AggregateRating')), 'ratingValue')).toEqual([4.5])
  expect(valueOf(things.get(term('Offer')), 'price')).toEqual([0])
  expect(things.get(term('Person'))?.['@id']).toBe('https://yard.example/profile/ada')
  expect(things.has(term('BreadcrumbList'))).toBe(true)
})

test('has no rating without votes, no offer for a paid script, and nothing of a private one', async () => {
  const things = await readThings(describeScript({ rating_count: 0, is_free: false, license: null, image: '' }))
  expect([...things.keys()]).not.toContain(term('AggregateRating'))
  expect([...things.keys()]).not.toContain(term('Offer'))
  expect(describeScript({ is_public: false })).toBeUndefined()
})

test('describes a profile, but not a private one', async () => {
  const profile = {
    slug: 'ada',
    username: 'ada_b',
    display_name: 'Ada',
    is_hidden: false,
    profile_image: null,
    avatar_url: 'https://cdn.example/a.png',
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const describe = (changes: object) =>
    structuredData(
      {
        root,
        'web/features/members/profile-page.tsx': { state: 'found', profile: { ...profile, ...changes }, bio: null },
      },
      '/profile/ada',
    )
  const things = await readThings(describe({}))
  expect(things.has(term('ProfilePage'))).toBe(true)
  expect(valueOf(things.get(term('Person')), 'image')).toEqual(['https://cdn.example/a.png'])
  expect(describe({ is_hidden: true })).toBeUndefined()
})

test('describes the search of the site on its first page only', async () => {
  const data = { root, 'web/features/browse/browse-page.tsx': { list: null } }
  const things = await readThings(structuredData(data, '/'))
  expect(things.has(term('WebSite'))).toBe(true)
  expect(valueOf(things.get(term('SearchAction')), 'query-input')).toEqual(['required name=search_term_string'])
  expect(structuredData(data, '/scripts')).toBeUndefined()
  expect(structuredData({ root }, '/popular')).toBeUndefined()
})
