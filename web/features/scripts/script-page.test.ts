import { RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import { apiContext } from '#web/lib/api-context.ts'
import { createClient, type Transport } from '#web/lib/client.ts'
import { loader } from './script-page.tsx'

const script = { id: 7, slug: 'tool-kit-7', title: 'Tool Kit', script_content: `print("hi")\n${'-'.repeat(5000)}` }
const summary = { average_rating: 4, rating_count: 2 }
const ratings = [
  { id: 1, rating: 4, review: ' Good. ' },
  { id: 2, rating: 4, review: ' ' },
]

const answer = (status: number, body: object) => ({ status, statusText: '', text: JSON.stringify(body) })
const problem = (status: number) => answer(status, { error: 'A sentence.', code: 'some_code' })

async function load(slug: string, answers: { details?: object; ratings?: object } = {}) {
  const asked: string[] = []
  const send: Transport = async ({ url }) => {
    asked.push(url)
    const { details = answer(200, { script, comments: [] }), ratings: rated = answer(200, { ratings, summary }) } =
      answers
    return (url.startsWith('/api/script-rating') ? rated : details) as ReturnType<typeof answer>
  }
  const result = await loader({
    context: new RouterContextProvider(new Map([[apiContext, createClient(send)]])),
    params: { slug },
    request: new Request('http://localhost/'),
    url: new URL('http://localhost/'),
    pattern: '/scripts/:slug',
  })
  return { result, asked }
}

describe('loader', () => {
  test('gives the script with its beginning alone, and the written reviews', async () => {
    const { result } = await load('tool-kit-7')
    expect(result).toMatchObject({
      data: {
        script: { id: 7, slug: 'tool-kit-7' },
        preview: { isCut: true, isHighlighted: true },
        ratings: { summary, reviews: [{ id: 1, review: 'Good.' }] },
      },
    })
    expect(JSON.stringify(result)).not.toContain('script_content')
    expect(JSON.stringify(result).length).toBeLessThan(5000)
  })

  test('leads every other address of a script to the canonical one, in its place', async () => {
    const { result } = await load('old-name-7')
    expect(result).toBeInstanceOf(Response)
    const { status, headers } = result as Response
    expect([status, headers.get('location'), headers.get('x-remix-replace')]).toEqual([
      302,
      '/scripts/tool-kit-7',
      'true',
    ])
  })

  test.each(['', 'tool-kit', '7', 'tool-kit-99999999999', '%ff', `${'a'.repeat(10_000)}-7`])(
    'finds nothing under %j and asks nobody',
    async (slug) => {
      const { result, asked } = await load(slug)
      expect(result).toMatchObject({ data: null, init: { status: 404 } })
      expect(asked).toEqual([])
    },
  )

  test('finds nothing where the API knows of no such script', async () => {
    const { result } = await load('gone-7', { details: problem(404), ratings: problem(404) })
    expect(result).toMatchObject({ data: null, init: { status: 404 } })
  })

  test('shows the script when its ratings cannot be loaded', async () => {
    const { result } = await load('tool-kit-7', { ratings: problem(503) })
    expect(result).toMatchObject({ data: { script: { id: 7 }, ratings: null } })
  })

  test('fails when the script cannot be loaded', async () => {
    await expect(load('tool-kit-7', { details: problem(503) })).rejects.toMatchObject({ status: 503 })
  })
})
