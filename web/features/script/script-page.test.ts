import { LoaderContext, redirect } from '#web/router/routes.ts'
import { describe, expect, test } from 'vitest'
import { apiContext } from '#web/lib/api-context.ts'
import { createClient, type Transport } from '#web/lib/client.ts'
import { loader } from './script-page.tsx'

const script = {
  id: 7,
  slug: 'tool-kit-7',
  title: 'Tool Kit',
  description: 'Tools',
  changelog_markdown: '**Faster** now.',
  script_content: `print("hi")\n${'-'.repeat(5000)}`,
}
const summary = { average_rating: 4, rating_count: 2 }
const ratings = [
  { id: 1, rating: 4, review: ' Good. ' },
  { id: 2, rating: 4, review: ' ' },
]

const makeResponse = (status: number, body: object) => ({ status, statusText: '', text: JSON.stringify(body) })
const makeError = (status: number) => makeResponse(status, { error: 'A sentence.', code: 'some_code' })

async function load(slug: string, responses: { details?: object; ratings?: object } = {}) {
  const requests: string[] = []
  const send: Transport = async ({ url }) => {
    requests.push(url)
    const {
      details = makeResponse(200, { script, comments: [] }),
      ratings: rated = makeResponse(200, { ratings, summary }),
    } = responses
    if (url.startsWith('/api/script-rating')) return rated as ReturnType<typeof makeResponse>
    // The page is shown without the parts that fail to load.
    return (url.startsWith('/api/script-details') ? details : makeError(503)) as ReturnType<typeof makeResponse>
  }
  const result = await loader({
    context: new LoaderContext(new Map([[apiContext, createClient(send)]])),
    params: { slug },
    request: new Request('http://localhost/'),
  })
  return { result, requests }
}

describe('loader', () => {
  test('returns the script with a preview of its code, and the reviews that have text', async () => {
    const { result } = await load('tool-kit-7')
    expect(result).toMatchObject({
      data: {
        script: { id: 7, slug: 'tool-kit-7' },
        notes: [['p', [['strong', ['Faster']], ' now.']]],
        preview: { isCut: true, isHighlighted: true },
        ratings: { summary, reviews: [{ id: 1, review: [['p', ['Good.']]] }] },
      },
    })
    expect(JSON.stringify(result)).not.toContain('script_content')
    expect(JSON.stringify(result).length).toBeLessThan(5000)
  })

  test('redirects other URLs of a script to its canonical URL', async () => {
    const { result } = await load('old-name-7')
    expect(result).toEqual(redirect('/scripts/tool-kit-7'))
  })

  test.each(['', 'tool-kit', '7', 'tool-kit-99999999999', '%ff', `${'a'.repeat(10_000)}-7`])(
    'responds to the slug %j with 404, without an API request',
    async (slug) => {
      const { result, requests } = await load(slug)
      expect(result).toMatchObject({ data: null, status: 404 })
      expect(requests).toEqual([])
    },
  )

  test('responds with 404 if the API does not find the script', async () => {
    const { result } = await load('gone-7', { details: makeError(404), ratings: makeError(404) })
    expect(result).toMatchObject({ data: null, status: 404 })
  })

  test('responds with 410 and the reason if the script was withdrawn', async () => {
    const withdrawn = { version: '1.0.0', by: 'author', reason: 'It deletes saved games.', successor: null }
    const details = makeResponse(410, { error: 'A sentence.', code: 'version_withdrawn', withdrawn })
    const { result } = await load('gone-7', { details, ratings: makeError(404) })
    expect(result).toMatchObject({ data: { withdrawn }, status: 410 })
  })

  test('returns the script if its ratings and its behavior card cannot be loaded', async () => {
    const { result } = await load('tool-kit-7', { ratings: makeError(503) })
    expect(result).toMatchObject({ data: { script: { id: 7 }, ratings: null, behavior: null } })
  })

  test('rejects if the script cannot be loaded', async () => {
    await expect(load('tool-kit-7', { details: makeError(503) })).rejects.toMatchObject({ status: 503 })
  })
})
