import { describe, expect, test } from 'vitest'
import { hrefOf } from './location.ts'
import { data, findError, LoaderContext, loadMatches, matchRoutes, redirect, type Route } from './routes.ts'

const Boundary = () => null

const table: Route[] = [
  {
    id: 'root',
    ErrorBoundary: Boundary,
    children: [
      { id: 'list', path: '/scripts?' },
      { id: 'script', path: '/scripts/:slug', ErrorBoundary: Boundary },
      { id: 'me', path: '/profile/me' },
      { id: 'profile', path: '/profile/:slug' },
      {
        id: 'portal',
        path: '/admin',
        ErrorBoundary: Boundary,
        children: [
          { id: 'dashboard', path: '' },
          { id: 'member', path: 'users/:id' },
        ],
      },
      { id: 'missing', path: '*' },
    ],
  },
]

const match = (path: string) => matchRoutes(table, path)

describe('a path', () => {
  test.each([
    ['/', 'list'],
    ['/scripts', 'list'],
    ['/scripts/', 'list'],
    ['/Scripts', 'list'],
    ['/scripts/a-1', 'script'],
    ['/scripts/a/b', 'missing'],
    ['/profile/me', 'me'],
    ['/profile/mel', 'profile'],
    ['/admin', 'dashboard'],
    ['/admin/users/7', 'member'],
    ['/admin/users', 'missing'],
    ['/constructor', 'missing'],
    ['//evil.example', 'missing'],
  ])('%s matches the route %s', (path, id) => {
    expect(match(path).at(-1)?.route.id).toBe(id)
  })

  test.each([
    ['/scripts/a%20b%2Fc', 'a b/c'],
    ['/scripts/%ff', '%ff'],
    ['/scripts/__proto__', '__proto__'],
  ])('%s has the parameter %s', (path, slug) => {
    expect(match(path).at(-1)?.params['slug']).toBe(slug)
  })

  test('is split between nested routes', () => {
    expect(match('/admin/users/7').map(({ pathname }) => pathname)).toEqual(['/', '/admin', '/admin/users/7'])
  })
})

test.each([
  ['/a?b', '/a?b'],
  ['?page=2', '/now?page=2'],
  ['#top', '/now?old=1#top'],
  ['', '/now?old=1'],
  [{ hash: 'ratings' }, '/now#ratings'],
  [{ pathname: '/x', search: 'y=1' }, '/x?y=1'],
])('the link %j leads to %s', (to, href) => {
  expect(hrefOf(to, { pathname: '/now', search: '?old=1' })).toBe(href)
})

describe('loading', () => {
  const load = (loader: Route['loader'], parent: Route['loader'] = () => 'parent') => {
    const child: Route = { id: 'child', path: '/x', loader }
    const routes: Route[] = [{ id: 'root', ErrorBoundary: Boundary, loader: parent, children: [child] }]
    const matches = matchRoutes(routes, '/x')
    return loadMatches({ matches, request: new Request('http://localhost/x'), context: new LoaderContext() })
  }

  test('returns the data of all routes', async () => {
    expect(await load(() => Promise.resolve('child'))).toMatchObject({
      loaderData: { root: 'parent', child: 'child' },
      errors: null,
      status: 200,
    })
  })

  test('takes the status of data', async () => {
    expect(await load(() => data(null, { status: 404 }))).toMatchObject({ loaderData: { child: null }, status: 404 })
  })

  test('returns a redirect, thrown or not', async () => {
    const thrown = () => {
      // eslint-disable-next-line typescript/only-throw-error -- loaders may throw it
      throw redirect('/y')
    }
    for (const loader of [() => redirect('/y'), thrown]) expect((await load(loader)).redirect).toEqual(redirect('/y'))
  })

  test('keeps the data of other routes if one fails', async () => {
    const error = new Error('broken')
    const result = await load(() => Promise.reject(error))
    expect(result).toMatchObject({ loaderData: { root: 'parent' }, errors: { child: error }, status: 500 })
  })

  test('loads the code of a route once, together with its data', async () => {
    let count = 0
    const lazy: Route = {
      id: 'lazy',
      path: '/x',
      load: () => {
        count++
        return Promise.resolve({ loader: () => 'late' })
      },
    }
    const matches = matchRoutes([lazy], '/x')
    const options = { matches, request: new Request('http://localhost/x'), context: new LoaderContext() }
    expect((await loadMatches(options)).loaderData).toEqual({ lazy: 'late' })
    await loadMatches(options)
    expect(count).toBe(1)
  })
})

test.each([
  ['/admin/users/7', 'member', 1],
  ['/admin/users/7', 'portal', 1],
  ['/admin/users/7', 'root', 0],
  ['/scripts/a-1', 'script', 1],
  ['/profile/mel', 'profile', 0],
])('on %s, an error of %s is shown by the route at depth %d', (path, id, index) => {
  expect(findError(match(path), { [id]: 'broken' })).toEqual({ index, error: 'broken' })
})
