import fc from 'fast-check'
import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, Problem } from '#contract/operation.ts'
import { type OperationName, operations } from '#contract/operations.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { EMAIL } from '#tests/support/email.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { uniquePng } from '#tests/support/images.ts'
import { makeFullMember } from '#tests/support/full-member.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'
import { repetitions } from '#tests/support/seed.ts'
import { storeImage } from '#server/platform/media/upload.ts'

const GAME = '18446744073709551615'

let site: TestApp
/** The session of an admin with data in every table. */
let headers: { authorization: string }
let apiToken: { authorization: string }
let values: Record<string, string | number>
beforeAll(async () => {
  site = await createTestApp({
    email: EMAIL,
    discord: { clientId: '1', clientSecret: 's', apiUrl: 'http://127.0.0.1:9', cdnUrl: '' },
  })
  const picture = await storeImage(site.db, site.media, await uniquePng(), null)
  const author_id = await makeMember(site.db, { display_name: 'Zoë', avatar: 'a_1', profile_image: picture })
  const showcase = { showcase_date: new Date(), showcase_video_url: 'https://youtu.be/x', showcase_notes: 'Good.' }
  await makeScript(site.db, { author_id, tags: ['ui', 'fun'], image: picture, is_featured: true, ...showcase })
  await makeScript(site.db, { is_universal: false, game_id: GAME, has_key_system: true })
  await site.db.insertInto('games').values({ game_id: GAME }).execute()
  await makeScript(site.db, { has_key_system: true, key_system_url: 'https://example.com', stats: { one_star: 2 } })
  for (const member_id of [author_id, await makeMember(site.db)]) {
    await site.db.insertInto('ratings').values({ script_id: 2, member_id, rating: 1, review: 'No.' }).execute()
  }
  const { id, scripts } = await makeFullMember(site, { is_admin: true })
  headers = await signIn(site.db, id)
  const { authorization } = await makeApiToken(site.db, id)
  apiToken = { authorization }
  const member = site.db.selectFrom('members').select('username').where('id', '=', id)
  values = {
    id,
    script: scripts[0] ?? 0,
    username: (await member.executeTakeFirstOrThrow()).username,
    update: await queryOfUpdate(),
    webhook: (await makeWebhook(site.db, { owner_id: id }, site.config.secretKey)).id,
    siteWebhook: (await makeWebhook(site.db, {}, site.config.secretKey)).id,
  }
})
afterAll(() => site.close())

/** Of the first script that everyone can see. */
async function queryOfUpdate(): Promise<string> {
  const { id, sha256 } = await site.db
    .selectFrom('scripts as s')
    .innerJoin('script_versions as v', (join) =>
      join.onRef('v.script_id', '=', 's.id').onRef('v.number', '=', 's.current_version'),
    )
    .select(['s.id', 'v.sha256'])
    .where('s.is_public', '=', true)
    .orderBy('s.id')
    .executeTakeFirstOrThrow()
  return `id=${id}&from=${sha256}`
}

const names = Object.keys(operations) as OperationName[]
const reads = names.filter((name) => name.startsWith('GET '))
const pathOf = (name: OperationName) => name.slice(name.indexOf(' ') + 1)
const operationOf = (name: OperationName): Operation => operations[name]

describe('every operation', () => {
  const queries: Partial<Record<OperationName, string[]>> = {
    'GET /api/scripts': ['', '?search=script&tags=ui', '?sort=title&order=asc&limit=1&page=3', '?page=99'],
    'GET /api/site-text': ['?name=rules', '?name=terms'],
    'GET /api/script-facets': ['', '?free_only=true&tags=ui', '?search=nothing'],
    'GET /api/script-details-slug': ['?slug=x-1', '?slug=x-2', '?slug=x-3'],
    'GET /api/search-suggestions': ['?q=scr', '?q=u', '?q=%23%23'],
    'GET /api/opensearch-suggestions': ['?q=scr', '?q=u'],
    'GET /api/script-rating': ['?id=1', '?id=2', '?id=3'],
    'GET /api/script-comments': ['?id=1', '?id=2', '?id=6'],
    'GET /api/comment-thread': ['?id=1'],
    'GET /api/own-helpful': ['?id=1', '?id=6'],
    'GET /api/script-versions': ['?id=1', '?id=2'],
    'GET /api/script-version': ['?id=1&number=1'],
    'GET /api/script-update': ['?{update}'],
    'GET /api/user-profiles': ['?user_id=1', '?user_id=2', '?user_id={username}'],
    'GET /api/profile-reputation': ['?target_user_id=1'],
    'GET /api/draft': [`?key=${'d'.repeat(32)}`],
    'GET /api/game': [`?id=${GAME}`],
    'GET /api/giveaways': ['', '?admin=true&status=all'],
    'GET /api/giveaway-draw': ['?id=1'],
    'GET /api/giveaway-prizes': ['?id=1'],
    'GET /api/admin-keys': ['?type=stats', '?type=users'],
    'GET /api/admin-user': ['?user_id=1', '?user_id=2'],
    'GET /api/reports': ['', '?status=all'],
    'GET /api/related-scripts': ['?id=1', '?id=2'],
    'GET /api/script-favorite': ['?id=1'],
    'GET /api/favorite-scripts': ['?ids=1', '?ids=1,2,3'],
    'GET /api/collection': ['?slug=x-1'],
    'GET /api/collections': ['?user_id=1', '?user_id={id}'],
    'GET /api/own-collections': ['', '?script_id=1'],
    'GET /api/follows': ['?user_id=1'],
    'GET /api/watches': ['?script_id=1'],
    'GET /api/works-votes': ['?id=1', '?id=2'],
    'GET /api/oembed': ['?url=http://localhost:3000/scripts/x-1'],
    'GET /feeds/versions.json': ['?id=1'],
    'GET /feeds/scripts.json': ['', '?tags=ui&sort=trending'],
    'GET /api/script-behavior': ['?id=1', '?id=2'],
    'GET /api/script-behavior-changes': ['?id=1'],
    'GET /api/trusted-publishers': ['?id={script}'],
    'GET /api/repository-source': ['?id={script}'],
    'GET /api/webhook-deliveries': ['?id={webhook}'],
    'GET /api/site-webhook-deliveries': ['?id={siteWebhook}'],
  }
  // XML, files, an endless stream, and the response to a browser whose member was banned.
  const others = new Set([
    'GET /feeds/scripts.atom',
    'GET /feeds/versions.atom',
    'GET /feeds/giveaways.atom',
    'GET /feeds/withdrawn.atom',
    'GET /api/script-download',
    'GET /api/favorites-export',
    'GET /api/notification-stream',
    'GET /api/sign-in-ban',
  ])

  test.each(reads.filter((name) => !others.has(name)))('%s responds as the contract says', async (name) => {
    const { response, contentType = 'application/json; charset=utf-8' } = operationOf(name)
    const [schema] = Object.values(response)
    for (const query of queries[name] ?? ['']) {
      const filled = query.replace(/\{(\w+)\}/, (_, key: string) => String(values[key]))
      const caller = name === 'GET /api/token' ? apiToken : headers
      const answer = await site.app.inject({ url: pathOf(name).replace('{name}', '1') + filled, headers: caller })
      expect(answer.statusCode, answer.payload).toBe(200)
      expect(answer.headers['content-type']).toBe(contentType)
      expect([...Value.Errors(schema ?? {}, answer.json())]).toEqual([])
    }
  })

  test('that writes responds as the contract says', async () => {
    const answer = await site.app.inject({ method: 'POST', url: '/api/script-download', payload: { script_id: 1 } })
    expect(answer.statusCode).toBe(202)
    expect(Value.Check(operations['POST /api/script-download'].response[202], answer.json())).toBe(true)
  })

  test('is in the OpenAPI document', async () => {
    const { paths } = (await site.app.inject('/api/openapi.json')).json<{ paths: Record<string, object> }>()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(names.toSorted())
  })
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => text.replaceAll(/[ #?&]/g, '%')),
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom(
    '%ff',
    '%',
    '%00',
    '%ed%a0%80',
    '%u0041',
    'a\\',
    "'",
    '"',
    '--',
    '%25',
    '%F0%9F',
    '%E2%80%AE',
    '%EF%BB%BF',
  ),
  fc.constantFrom(
    '2147483647',
    '2147483648',
    '9223372036854775808',
    '1e20',
    '-0',
    'NaN',
    '0x1',
    '1_000',
    '١',
    'true',
    'x-1',
  ),
  fc.constantFrom("' or 1=1 --", '${7*7}', '{{7*7}}', '../../etc/passwd', '\\u0000').map(encodeURIComponent),
  fc.nat(3000).map((length) => 'a,'.repeat(length)),
)
// Suffixes of a key for which some parsers of queries create arrays and objects.
const shapes = fc.constantFrom('', '[]', '[a]', '[0]', '.a', '%5B%5D')
const INTERNALS = /\bselect\b.*\bfrom\b|postgres|kysely|node_modules|\.ts\b|\bat .+:\d+:\d+/i

/** Faults of a response: a server error, internals in the text, or an error without the right format. */
async function findFaults(url: string, body?: string, as: Record<string, string> = {}): Promise<string[]> {
  const post = { method: 'POST' as const, headers: { ...as, 'content-type': 'application/json' }, payload: body ?? '' }
  const answer = await site.app.inject({ url, headers: as, ...(body === undefined ? {} : post) })
  const { statusCode, payload } = answer
  if (statusCode < 400) return []
  const faults: string[] = []
  if (statusCode >= 500) faults.push(`status ${statusCode}`)
  if (INTERNALS.test(payload)) faults.push(`reveals ${payload}`)
  if (url.startsWith('/api/') && !Value.Check(Problem, answer.json())) faults.push(`wrong error format: ${payload}`)
  return faults
}

describe('with any input', () => {
  test.each(reads)('%s responds without revealing internals', async (name) => {
    const known = Object.keys(operationOf(name).query?.properties ?? {})
    // A query changes nothing for an operation without parameters.
    const numRuns = known.length > 0 ? repetitions(30, 80) : repetitions(5, 10)
    const parameter = fc.tuple(fc.constantFrom(...known, 'unknown', '__proto__', 'constructor'), shapes, nasty)
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { maxLength: 5 }), async (parameters) => {
        const query = parameters.map(([key, shape, value]) => `${key}${shape}=${value}`).join('&')
        const url = `${pathOf(name)}?${query}`
        // Requests of members reach more code. Their notification stream would never end.
        const asMember = name === 'GET /api/notification-stream' ? {} : headers
        expect([...(await findFaults(url)), ...(await findFaults(url, undefined, asMember))]).toEqual([])
      }),
      { numRuns },
    )
  })

  test.each(['/raw/', '/media/', '/api/', '/', '/scripts/'])('every URL below %s gets a response', async (folder) => {
    await fc.assert(
      fc.asyncProperty(nasty, async (rest) => {
        // `inject` cannot send invalid URLs; `npm run attack` does.
        fc.pre(URL.canParse(folder + rest, 'http://localhost'))
        expect(await findFaults(folder + rest)).toEqual([])
      }),
      { numRuns: repetitions(30, 60) },
    )
  })

  test('an invalid body changes nothing', async () => {
    const counters = sql<object>`select * from script_stats order by script_id`
    await site.visits.flush()
    const before = await counters.execute(site.db)
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .dictionary(fc.constantFrom('script_id', 'id', 'toString'), fc.jsonValue())
        .map((value) => JSON.stringify(value)),
    )
    const isRight = (text: string) => /^\s*\{\s*"script_id"\s*:\s*[123]\s*\}\s*$/.test(text)
    await fc.assert(
      fc.asyncProperty(
        body.filter((text) => !isRight(text)),
        async (payload) => {
          expect(await findFaults('/api/script-download', payload)).toEqual([])
        },
      ),
      { numRuns: repetitions(80, 150) },
    )
    await site.visits.flush()
    expect((await counters.execute(site.db)).rows).toEqual(before.rows)
  })
})
