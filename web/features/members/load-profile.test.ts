import { RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import { apiContext } from '#web/lib/api-context.ts'
import { createClient, type Transport } from '#web/lib/client.ts'
import { loadProfile } from './load-profile.ts'

const profile = { user_id: 7, slug: 'ada_builds', username: 'Ada_Builds', is_hidden: false }
const list = { scripts: [{ id: 1 }], pagination: { page: 1, limit: 50, total: 1, pages: 1 } }

const answer = (status: number, body: object) => ({ status, statusText: '', text: JSON.stringify(body) })
const problem = (status: number) => answer(status, { error: 'A sentence.', code: 'some_code' })

async function load(name: string, query = '', answers: { profile?: object; scripts?: object } = {}) {
  const asked: string[] = []
  const send: Transport = async ({ url }) => {
    asked.push(url)
    const { profile: found = answer(200, { profile }), scripts = answer(200, list) } = answers
    return (url.startsWith('/api/scripts') ? scripts : found) as ReturnType<typeof answer>
  }
  const result = await loadProfile({
    context: new RouterContextProvider(new Map([[apiContext, createClient(send)]])),
    params: { slug: name },
    request: new Request(`http://localhost/profile/x${query}`),
    url: new URL('http://localhost/'),
    pattern: '/profile/:slug',
  })
  return { result, asked }
}

describe('loadProfile', () => {
  test('gives the member as visitors see them, without scripts that no tab shows', async () => {
    const { result, asked } = await load('ada_builds')
    expect(result).toMatchObject({
      data: { state: 'found', profile, scripts: null, seenBy: 'visitor' },
      init: { status: 200 },
    })
    expect(asked).toEqual(['/api/user-profiles?user_id=ada_builds'])
  })

  test('gives a page of fifty scripts for the tab that shows them', async () => {
    const { result, asked } = await load('ada_builds', '?tab=scripts&page=2')
    expect(result).toMatchObject({ data: { scripts: list, place: { tab: 'scripts', page: 2 } } })
    expect(asked.at(-1)).toBe('/api/scripts?author=7&limit=50&page=2')
  })

  test('asks for no scripts of a profile that is private', async () => {
    const hidden = answer(200, { profile: { ...profile, is_hidden: true } })
    const { asked } = await load('ada_builds', '?tab=scripts', { profile: hidden })
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['7', '', '/profile/ada_builds'],
    ['Ada_Builds', '', '/profile/ada_builds'],
    ['ADA_BUILDS', '?tab=scripts&page=2&x=1', '/profile/ada_builds?tab=scripts&page=2'],
  ])('leads %s%s to the one address, in its place', async (name, query, address) => {
    const { result } = await load(name, query)
    expect(result).toBeInstanceOf(Response)
    const { status, headers } = result as Response
    expect([status, headers.get('location'), headers.get('x-remix-replace')]).toEqual([302, address, 'true'])
  })

  test.each([404, 400])('finds nobody where the API answers %d', async (status) => {
    const { result } = await load('nobody', '', { profile: problem(status) })
    expect(result).toMatchObject({ data: { state: 'missing' }, init: { status: 404 } })
  })

  test.each(['', 'a'.repeat(101)])('asks nothing for a name that nobody can have', async (name) => {
    const { result, asked } = await load(name)
    expect(result).toMatchObject({ data: { state: 'missing' }, init: { status: 404 } })
    expect(asked).toEqual([])
  })

  test.each([
    [503, 503],
    [429, 500],
  ])('says that it failed where the API answers %d, with a status that nothing keeps', async (status, shown) => {
    const { result } = await load('ada_builds', '', { profile: problem(status) })
    expect(result).toMatchObject({ data: { state: 'failed' }, init: { status: shown } })
  })

  test('shows the member all the same when their scripts fail', async () => {
    const { result } = await load('ada_builds', '?tab=scripts', { scripts: problem(503) })
    expect(result).toMatchObject({ data: { state: 'found', scripts: null }, init: { status: 200 } })
  })
})
