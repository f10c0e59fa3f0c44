import { LoaderContext, redirect } from '#web/router/routes.ts'
import { describe, expect, test } from 'vitest'
import { apiContext } from '#web/lib/api-context.ts'
import { createClient, type Transport } from '#web/lib/client.ts'
import { loader } from './profile-page.tsx'

const profile = { user_id: 7, slug: 'ada_builds', username: 'Ada_Builds', is_hidden: false }
const list = { scripts: [{ id: 1 }], pagination: { page: 1, limit: 50, total: 1, pages: 1 } }

const response = (status: number, body: object) => ({ status, statusText: '', text: JSON.stringify(body) })
const problem = (status: number) => response(status, { error: 'A sentence.', code: 'some_code' })

async function load(name: string, query = '', responses: { profile?: object; scripts?: object } = {}) {
  const requests: string[] = []
  const send: Transport = async ({ url }) => {
    requests.push(url)
    const { profile: found = response(200, { profile }), scripts = response(200, list) } = responses
    return (url.startsWith('/api/scripts') ? scripts : found) as ReturnType<typeof response>
  }
  const result = await loader({
    context: new LoaderContext(new Map([[apiContext, createClient(send)]])),
    params: { slug: name },
    request: new Request(`http://localhost/profile/x${query}`),
  })
  return { result, requests }
}

describe('the loader', () => {
  test('loads the visitor view of a member, with the most downloaded scripts on the overview', async () => {
    const { result, requests } = await load('ada_builds')
    expect(result).toMatchObject({
      data: { state: 'found', profile, scripts: list, loadedFor: 'visitor' },
      status: 200,
    })
    expect(requests).toEqual([
      '/api/user-profiles?user_id=ada_builds',
      '/api/scripts?author=7&limit=6&sort=download_count',
    ])
  })

  test('loads a page of fifty scripts on the scripts tab', async () => {
    const { result, requests } = await load('ada_builds', '?tab=scripts&page=2')
    expect(result).toMatchObject({ data: { scripts: list, location: { tab: 'scripts', page: 2 } } })
    expect(requests.at(-1)).toBe('/api/scripts?author=7&limit=50&page=2')
  })

  test('requests no scripts of a private profile', async () => {
    const hidden = response(200, { profile: { ...profile, is_hidden: true } })
    const { requests } = await load('ada_builds', '?tab=scripts', { profile: hidden })
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['7', '', '/profile/ada_builds'],
    ['Ada_Builds', '', '/profile/ada_builds'],
    ['ADA_BUILDS', '?tab=scripts&page=2&x=1', '/profile/ada_builds?tab=scripts&page=2'],
  ])('redirects %s%s to the canonical URL', async (name, query, url) => {
    const { result } = await load(name, query)
    expect(result).toEqual(redirect(url))
  })

  test.each([404, 400])('responds with 404 if the API responds with %d', async (status) => {
    const { result } = await load('nobody', '', { profile: problem(status) })
    expect(result).toMatchObject({ data: { state: 'missing' }, status: 404 })
  })

  test.each(['', 'a'.repeat(101)])('sends no request for an invalid name', async (name) => {
    const { result, requests } = await load(name)
    expect(result).toMatchObject({ data: { state: 'missing' }, status: 404 })
    expect(requests).toEqual([])
  })

  test.each([
    [503, 503],
    [429, 500],
  ])('fails with an uncached status if the API responds with %d', async (status, expected) => {
    const { result } = await load('ada_builds', '', { profile: problem(status) })
    expect(result).toMatchObject({ data: { state: 'failed' }, status: expected })
  })

  test('shows the member even if loading their scripts fails', async () => {
    const { result } = await load('ada_builds', '?tab=scripts', { scripts: problem(503) })
    expect(result).toMatchObject({ data: { state: 'found', scripts: null }, status: 200 })
  })
})
